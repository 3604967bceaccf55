// flags: --property overflow,division
int a, b;
unsigned u;
long l;
char c;

int main(void)
{
	a = a + b;
	a = a - 1;
	a = a * b;
	a = a / b;
	a = a % b;
	a = -a;
	a = a << b;
	a = a >> 3;
	u = u + 1;
	u = u / a;
	u = -u;
	l = l + a;
	c = c + 1;
	c++;
	a += 2;
	a--;
	l = (long)a * b;
	return 0;
}
