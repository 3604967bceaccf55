int a, b;
unsigned u;
long l;

int main(void)
{
	a = a / 2;
	a = a / b;
	a = a % b;
	u = u / 4;
	u = u % u;
	l = l / a;
	a = 7 / 2 + -7 / 2 + -7 % 3 + 7 % -3;
	a = a / 0;
	a /= b;
	a %= 3;
	double d = a / 2.0;
	d = d / 0;
	return d > a;
}
