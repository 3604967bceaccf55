int a, b, c, d;
int f(void);
int f(void) { return a; }

int main(void)
{
	int x = a, y = b, r;
	r = x && y;
	r = x || y;
	r = a && b;
	r = a || b;
	r = a && b && c && d;
	r = a || b || c;
	r = (a && b) || (c && d);
	r = a && (b || c);
	r = x && f();
	r = f() || x;
	r = !(a && b);
	r = !x;
	r = !!x;
	r = x && 1;
	r = x && 0;
	r = 0 && f();
	r = 1 || f();
	r = x && (y = 3);
	r = x++ && x > 1;
	if (a && b)
		r = 1;
	if (a || b)
		r = 2;
	if (!(a && !b) || c)
		r = 3;
	while (x && (a || b))
		x--;
	return r;
}
