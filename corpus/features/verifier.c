void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
_Bool __VERIFIER_nondet_bool(void);
unsigned long __VERIFIER_nondet_ulong(void);
void *__VERIFIER_nondet_pointer(void);
float __VERIFIER_nondet_float(void);
void reach_error(void);
void abort(void);
void __assert_fail(const char *, const char *, unsigned, const char *);
int a, b;

int main(void)
{
	int x = __VERIFIER_nondet_int();
	__VERIFIER_assume(x > 0 && x < 10);
	unsigned char c = __VERIFIER_nondet_uchar();
	_Bool t = __VERIFIER_nondet_bool();
	unsigned long l = __VERIFIER_nondet_ulong();
	void *p = __VERIFIER_nondet_pointer();
	float f = __VERIFIER_nondet_float();
	int y = __VERIFIER_nondet_int();
	__VERIFIER_atomic_begin();
	a = a + 1;
	b++;
	__VERIFIER_atomic_end();
	__VERIFIER_assert(a == b);
	((void)((a == 1) || (__assert_fail("a == 1", "f.c", 30, "main"), 0)));
	((a == 2) ? (void)0 : __assert_fail("a == 2", "f.c", 31, __func__));
	if (x == y)
		reach_error();
	if (c > 5)
		abort();
	return t + (l > 3) + (p == 0) + (f > 1);
}
