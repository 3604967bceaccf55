int a, b, c;
unsigned char uc;
long l;
int *p;
_Bool t;
void *v;

int main(void)
{
	a = __atomic_load_n(&b, 0);
	a = __atomic_load_n(&b, 2);
	__atomic_load(&b, &a, 5);
	__atomic_store_n(&b, 3, 3);
	__atomic_store(&b, &a, 5);
	a = __atomic_exchange_n(&b, 4, 4);
	__atomic_exchange(&b, &a, &c, 5);
	t = __atomic_compare_exchange_n(&b, &a, 5, 0, 5, 0);
	t = __atomic_compare_exchange(&b, &a, &c, 1, 4, 2);
	a = __atomic_fetch_add(&b, 1, 5);
	a = __atomic_fetch_sub(&b, 1, 0);
	a = __atomic_fetch_and(&b, 1, 1);
	a = __atomic_fetch_or(&b, 1, 2);
	a = __atomic_fetch_xor(&b, 1, 3);
	a = __atomic_fetch_nand(&b, 1, 4);
	a = __atomic_add_fetch(&b, 1, 5);
	a = __atomic_sub_fetch(&b, 1, 5);
	a = __atomic_and_fetch(&b, 1, 5);
	a = __atomic_or_fetch(&b, 1, 5);
	a = __atomic_xor_fetch(&b, 1, 5);
	a = __atomic_nand_fetch(&b, 1, 5);
	uc = __atomic_add_fetch(&uc, 300, 5);
	l = __atomic_fetch_add(&l, a, 5);
	p = __atomic_fetch_add(&p, 4, 5);
	t = __atomic_test_and_set(&t, 5);
	__atomic_clear(&t, 5);
	__atomic_thread_fence(5);
	__atomic_signal_fence(5);
	a = __atomic_always_lock_free(4, 0) + __atomic_is_lock_free(8, v);
	a = __atomic_load_n(&b, c);
	v = __atomic_load_n(&v, 5);
	a = __atomic_load_4(&b, 5);
	return 0;
}
