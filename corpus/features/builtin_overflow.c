int a, b;
unsigned u;
long l;
unsigned long ul;
char c;
_Bool t;

int main(void)
{
	t = __builtin_add_overflow(a, b, &a);
	t = __builtin_sub_overflow(a, u, &u);
	t = __builtin_mul_overflow(l, ul, &ul);
	t = __builtin_add_overflow(a, 1, &c);
	t = __builtin_sadd_overflow(a, b, &a);
	t = __builtin_uadd_overflow(u, 1, &u);
	t = __builtin_smull_overflow(l, l, &l);
	t = __builtin_usubl_overflow(ul, 1, &ul);
	t = __builtin_ssub_overflow(a, b, &a);
	t = __builtin_add_overflow_p(a, b, 0);
	t = __builtin_mul_overflow_p(a, b, (char)0);
	if (__builtin_add_overflow(a, 1, &b))
		return 1;
	return 0;
}
