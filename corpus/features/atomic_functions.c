void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void abort(void);
int m, n;

void __VERIFIER_atomic_lock(void)
{
	if (m)
		return;
	m = 1;
}
int __VERIFIER_atomic_add(int x)
{
	int *p = &x;
	if (n > 5)
		return n;
	while (x > 3)
		if (--x == 2)
			return *p;
	n += x;
	return n;
}
static void __VERIFIER_atomic_empty(void) { }

int early(int x)
{
	__VERIFIER_atomic_begin();
	if (x) {
		__VERIFIER_atomic_end();
		return 1;
	}
	if (m)
		abort();
	__VERIFIER_atomic_begin();
	m++;
	__VERIFIER_atomic_end();
	__VERIFIER_atomic_end();
	return 0;
}

int main(void)
{
	__VERIFIER_atomic_lock();
	__VERIFIER_atomic_empty();
	return __VERIFIER_atomic_add(2) + early(n);
}
