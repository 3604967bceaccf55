int n;
int a = n;
int b[2] = { 1, 2, 3 };
int c = { 1, 2 };
struct s { int x, y; } s = { .z = 1 };
int d[2] = { [5] = 1 };
int e[] = { [-1] = 1 };
struct s f = 3;
int g[3] = 5;
char h[2] = "toolong";
int k[] = "abc";
int m = "x" + 1;
int f1(void) { return 1; }
int o = f1();
int p = { { 1 } };
int *q = &n + n;
int r[2] = { .x = 1 };
struct s t = { [0] = 1 };
extern int u;
int w = 1 / 0;

int main(void)
{
	static int x = n;
	int y[2] = 3;
	struct s z = 1;
	int v[n] = { 1 };
	extern int u = 3;
	return 0;
}
