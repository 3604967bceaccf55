// flags: --data-model ilp32
typedef __builtin_va_list va_list;
struct s { int a; long b; char c; };
struct s g;
int sum(int n, ...)
{
	va_list ap, copy;
	int r = 0;
	__builtin_va_start(ap, n);
	__builtin_va_copy(copy, ap);
	for (int i = 0; i < n; i++)
		r += __builtin_va_arg(ap, int);
	r += __builtin_va_arg(copy, int);
	__builtin_va_end(copy);
	__builtin_va_end(ap);
	return r;
}
long kinds(const char *f, ...)
{
	va_list ap;
	long r = 0;
	__builtin_va_start(ap, f);
	r += __builtin_va_arg(ap, long);
	r += (long)__builtin_va_arg(ap, double);
	r += *__builtin_va_arg(ap, int *);
	r += __builtin_va_arg(ap, struct s).b;
	r += (long)__builtin_va_arg(ap, long double);
	r += __builtin_va_arg(ap, unsigned);
	r += __builtin_va_arg(ap, int (*)(int, ...)) == sum;
	__builtin_va_end(ap);
	return r;
}
int vsum(int n, va_list ap)
{
	int r = __builtin_va_arg(ap, int);
	return n ? r + vsum(n - 1, ap) : r;
}
int from_pointer(va_list *ap) { return __builtin_va_arg(*ap, int); }
int pass(int n, ...)
{
	va_list ap;
	__builtin_va_start(ap, n);
	int r = vsum(n, ap) + from_pointer(&ap);
	__builtin_va_end(ap);
	return r;
}

int main(void)
{
	char c = 'a';
	short h = 3;
	float f = 1.5f;
	int x = 7;
	return sum(0) + sum(2, 1, 2) + sum(2, c, h) + kinds("x", 1L, f, &x, g, 2.0L, 5u, sum) + pass(2, 1, 2, 3);
}
