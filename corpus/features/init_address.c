int x, arr[5], two[2][3];
struct s { int a; int b[4]; struct { int c; } d; } s, *sp = &s;
int f(void) { return 1; }
int *p1 = &x, *p2 = arr, *p3 = &arr[3], *p4 = arr + 2, *p5 = &two[1][2], *p6 = two[1];
int *p7 = &s.b[1], *p8 = &s.d.c;
void *v1 = f, *v2 = &f, *v3 = (char *)&s + 4, *v4 = 0, *v5 = (void *)16;
int (*fp)(void) = f, (*fp2)(void) = &f, (*fps[])(void) = { f, 0, f };
long as_int = (long)&arr[1];
long diff = &arr[4] - &arr[1];
int cmp = &arr[1] < &arr[3], nz = &x != 0;
char *str = &"hello"[1];
int *lit = (int[]){ 1, 2, 3 };
struct s *slit = &(struct s){ .a = 4 };
extern int later;
int *pl = &later;
int later = 3;

int main(void)
{
	static int *sl = &arr[2];
	static int local, *sl2 = &local;
	return *p1 + *p2 + *p3 + *p4 + *p5 + *p6 + *p7 + *p8 + (v1 == v2) + (v3 == v4) + (v5 != 0) + fp() + fp2() + fps[0]()
		+ as_int + diff + cmp + nz + *str + *lit + slit->a + *pl + *sl + *sl2 + sp->a;
}
