int x, arr[3];
int f(void) { return ++x; }
int g(int a, int b) { return a - b; }
int *at(int i) { x *= 2; return &arr[i]; }

int main(void)
{
	int r = f() - f();
	r = g(f(), f());
	arr[f()] = f();
	*at(1) = f();
	*at(0) += f();
	arr[x++] = 5;
	r = x + f();
	r = f() + x;
	x = f() + (x = 3);
	int i = 0;
	i = i++ + 1;
	arr[i] = i = 2;
	r += (f(), x) + (x++, x);
	return r;
}
