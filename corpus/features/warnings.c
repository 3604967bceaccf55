int *p;
char *s;
long l;
int takes(int *p) { return 0; }
void nothing(void) { return 1; }
int something(void) { return; }
extern int never(int);

int main(void)
{
	p = 5;
	l = p;
	p = s;
	takes(l);
	takes(s);
	int i = p;
	if (p == 1)
		i = 2;
	int a[2] = { 1, 2, 3 };
	char t[2] = "long";
	nothing();
	return something() + never(1) + 18446744073709551615;
}
