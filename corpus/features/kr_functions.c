int f(a, c, s, d, fl, p)
	char c;
	short s;
	double d;
	float fl;
	int *p;
{
	p = &a;
	c++;
	return a + c + s + (int)d + (int)fl + *p;
}
g() { return 1; }
int h();
struct s { int x; } v;
int k(v) struct s v; { return v.x; }
static t() { return 2; }

int main()
{
	char c = 1;
	return f(1, c, 2, 1.0, 2.0f, (int *)0) + g() + h(1, 2) + k(v) + t();
}
int h(x, y) { return x + y; }
