struct s { int x; } s;
struct t { int y; } t;
int *p;
double d;

int main(void)
{
	int i = 0;
	i = i ? s : 1;
	s = i ? s : t;
	i = i ? p : d;
	p = i ? p : 5;
	p = i ? p : &d;
	i = s ? 1 : 2;
	i = undeclared ? 1 : 2;
	return i ? missing : 3;
}
