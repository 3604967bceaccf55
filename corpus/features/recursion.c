int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int fact(int n) { if (n <= 1) return 1; return n * fact(n - 1); }
void walk(int *p, int n) { int local = *p; if (n) walk(&local, n - 1); *p = local; }

int main(void)
{
	int x = 1;
	walk(&x, 2);
	return fact(5) + even(4) + x;
}
