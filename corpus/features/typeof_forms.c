int i;
char c;
const int ci = 1;
int arr[4];
int f(long x) { return x; }
struct s { int m; } s;

int main(void)
{
	typeof(i) a = 1;
	typeof(c + c) b = 300;
	__typeof__(arr) d = { 1, 2 };
	typeof(int *) p = &i;
	typeof(*p) e = 2;
	typeof(f) *g = f;
	typeof(&s) q = &s;
	typeof(s.m) m = 4;
	__typeof(i++) h = 5;
	__auto_type k = c;
	__auto_type l = arr;
	const __auto_type n = 1.5f;
	typeof(typeof(char)) o = 'o';
	__extension__ ({ typeof(a) t = a; a = b; b = t; });
	return a + b + sizeof d + *p + e + g(1) + q->m + m + h + k + *l + (int)n + o + sizeof(typeof(ci));
}
