int order;
static void __attribute__((constructor)) first(void) { order = order * 10 + 1; }
__attribute__((constructor(200))) void second(void) { order = order * 10 + 2; }
__attribute__((destructor)) static void last(void) { order = 0; }
int target(int x) { return x + 1; }
int other(int x) __attribute__((alias("target")));
int weak_one(void) __attribute__((weak));
int weak_one(void) { return 3; }
__attribute__((noreturn)) void stop(void) { for (;;) ; }
_Noreturn void stop2(void);
void stop2(void) { stop(); }
__attribute__((unused, always_inline, hot, pure, nonnull(1), format(printf, 1, 2), section(".text"), deprecated)) static inline int
attrs(const char *f, ...) { return f != 0; }
int __attribute__((__const__)) __attribute__((__warn_unused_result__)) c(int x) { return x; }

int main(void)
{
	if (order == 5)
		stop2();
	return order + other(1) + weak_one() + attrs("x") + c(2);
}
