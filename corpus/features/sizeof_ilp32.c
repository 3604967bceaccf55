// flags: --data-model ilp32
struct s { char c; int i; short a[3]; } s, *p;
char arr[10], *q;
int n, f(void);
unsigned long v[] = {
	sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(long long), sizeof(float), sizeof(double), sizeof(long double),
	sizeof(void *), sizeof(int (*)(void)), sizeof(struct s), sizeof s.a, sizeof p->a[0], sizeof *p, sizeof arr, sizeof(arr + 0),
	sizeof &arr, sizeof "hello", sizeof 'a', sizeof(char) * 3, sizeof(int[5]), sizeof(int[2][3]), sizeof n++, sizeof f(), sizeof(s),
	sizeof(struct { int x; char y; }), sizeof(enum { Z }), sizeof(_Bool), sizeof(1 ? 1 : 2L), sizeof(char)-1 > 0, sizeof(void), sizeof f,
};

int main(void)
{
	char b[] = "four", m[2][5];
	int r = sizeof b + sizeof m[0] + sizeof b[n++] + sizeof(n++) + sizeof *&b;
	return r + v[0] + n;
}
int f(void) { return 1; }
