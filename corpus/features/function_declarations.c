int f(int), g(int a, int b), h(void), *pf(void), (*fp)(int);
int f(int x);
int (f)(int x) { return x; }
int(g)(int a, int b) { return a + b; }
extern int h(void);
int h() { return 3; }
int *pf(void) { static int n; return &n; }
void arrays(int a[], int b[5], int c[][2], int (*d)[2], int e(int), char *argv[]) { a[0] = b[1] + c[1][0] + d[0][1] + e(2) + *argv[0]; }
static int inner_used(void) { int local_fn(int); return local_fn(2); }
int local_fn(int x) { return x * 2; }
int noname(int, char *p, int) { return *p; }

int main(void)
{
	int a[5] = { 0 }, c[2][2] = { { 0 } };
	char *argv[] = { "x" };
	arrays(a, a, c, c, f, argv);
	fp = f;
	return f(1) + g(1, 2) + h() + *pf() + (*fp)(4) + inner_used() + noname(1, "a", 2);
}
