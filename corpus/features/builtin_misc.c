int a, b;
char buf[8];
struct s { int x; } s, s2;
int k[] = {
	__builtin_constant_p(3), __builtin_types_compatible_p(int, signed), __builtin_types_compatible_p(int, long),
	__builtin_types_compatible_p(const int, int), __builtin_types_compatible_p(int[], int[3]), __builtin_types_compatible_p(int *, const int *),
	__builtin_choose_expr(1, 4, (char)5), sizeof(__builtin_choose_expr(0, 4, (char)5)), __builtin_classify_type(1.0),
	__builtin_object_size(buf, 0) == -1ul, __builtin_expect(3, 0),
};

int main(void)
{
	if (__builtin_expect(a == 1, 0))
		b = 1;
	if (__builtin_expect(!!(a), 1))
		b = 2;
	b = __builtin_constant_p(a);
	b = __builtin_constant_p(a++);
	__builtin_memcpy(&s, &s2, sizeof s);
	__builtin_memset(buf, 0, sizeof buf);
	__builtin_memmove(buf, buf + 1, a);
	b = *(int *)__builtin_assume_aligned(&a, 4);
	__builtin_prefetch(&a);
	if (__builtin_return_address(0))
		b = 3;
	switch (a) {
	case 1:
		__builtin_unreachable();
	case 2:
		__builtin_trap();
	}
	return k[0];
}
