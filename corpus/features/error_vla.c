int n;
extern int a[n];
struct s { int m[n]; };
typedef int T[n];
int f(int a[static n]);

int main(void)
{
	int a[-3], b[n] = { 1 }, c[1.5];
	static int d[n];
	struct { int m[n]; } e;
	goto in;
	{
		int v[n];
in:
		v[0] = 1;
	}
	return 0;
}
