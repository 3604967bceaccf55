volatile int v;
const volatile int cv = 2;
int *const volatile pcv = 0;
const char *const names[] = { "a", "b" };
int *restrict rp;
const struct { int a; const int b; } cs = { 1, 2 };
volatile struct { int x[2]; } vs;
const int matrix[2][2] = { { 1, 2 }, { 3, 4 } };
int take(const int *p, int *restrict q, int n[const 3]) { return *p + *q + n[0]; }

int main(void)
{
	const int local = v;
	volatile int w = 1;
	v;
	(void)v;
	v = v;
	vs.x[1] = v + cv;
	w++;
	const int *p = &local;
	int x = 4, *q = &x;
	return take(p, q, q) + *names[0] + cs.b + vs.x[0] + matrix[1][0] + w + (pcv == 0) + (rp == 0);
}
