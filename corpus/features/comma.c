int a, b;
struct s { int x; } s;
int f(int x, int y) { return x + y; }

int main(void)
{
	int x, y;
	x = (a = 1, b = 2, a + b);
	y = f((a++, a), (b, 5));
	for (x = 0, y = 10; x < y; x++, y--)
		;
	y = (s, s).x;
	y = sizeof(char[((void)0, 3)]);
	return (x, y);
}
