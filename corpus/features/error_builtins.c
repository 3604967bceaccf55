int i;
double d;

int main(void)
{
	i = __builtin_unknown(3);
	i = __builtin_add_overflow(1, 2);
	i = __builtin_add_overflow(1, d, &i);
	i = __builtin_choose_expr(i, 1, 2);
	i = __builtin_offsetof(int, x);
	i = __builtin_va_arg(i, int);
	__builtin_va_list ap;
	__builtin_va_start(ap, i);
	return 0;
}
