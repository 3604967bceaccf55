struct p { int x, y; };
struct n { char c; struct p p; int a[3]; };
int a;
int f(void) { return a; }
struct p fp(void) { struct p r = { 1, 2 }; return r; }

int main(void)
{
	int i = 5;
	int j = { 6 };
	int v[3] = { 1, 2, 3 };
	int w[] = { 1, f(), 3, };
	int z[4] = { 1 };
	int e[2] = { };
	struct p p = { 1, f() };
	struct p q = p;
	struct p r = { .y = 2 };
	struct n n1 = { 'a', { 1, 2 }, { 3, 4, 5 } };
	struct n n2 = { 'a', 1, 2, 3, 4 };
	struct n n3 = { .a[1] = 7, 8, .c = 'b' };
	struct n n4 = { .p = q, .p.x = 9 };
	struct n n5 = { .p.x = 9, .p = { .y = 1 } };
	struct n n6 = { 'c', fp(), 1 };
	struct p arr[] = { 1, 2, { 3 }, q, [5].y = 6, 7 };
	int m[2][3] = { { 1, 2 }, 3, 4 };
	int m2[2][3] = { 1, 2, 3, 4 };
	int rng[6] = { [1 ... 3] = 9, 10, [0] = f() };
	int once[3] = { [0 ... 2] = f() };
	return i + j + sizeof arr / sizeof arr[0] + sizeof w;
}
