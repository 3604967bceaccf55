void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int a;

void open(void)
{
	__VERIFIER_atomic_begin();
	a = 1;
}
void close(void)
{
	a = 2;
	__VERIFIER_atomic_end();
}
void sometimes(int x)
{
	if (x)
		__VERIFIER_atomic_begin();
	a = 3;
	if (x)
		__VERIFIER_atomic_end();
}
int early(int x)
{
	__VERIFIER_atomic_begin();
	if (x)
		return 1;
	__VERIFIER_atomic_end();
	return 0;
}
void __VERIFIER_atomic_swap(int x)
{
	__VERIFIER_atomic_end();
	a = x;
	__VERIFIER_atomic_begin();
	__VERIFIER_atomic_begin();
	return;
}
void fine(int x)
{
	while (x--) {
		__VERIFIER_atomic_begin();
		if (a) {
			__VERIFIER_atomic_end();
			continue;
		}
		a = 4;
		__VERIFIER_atomic_end();
	}
}

int main(void)
{
	open();
	close();
	return 0;
}
