int a, b;
char c;
long l;
int *p;

int main(void)
{
	a = __sync_fetch_and_add(&b, 1);
	a = __sync_fetch_and_sub(&b, 1);
	a = __sync_fetch_and_or(&b, 1);
	a = __sync_fetch_and_and(&b, 1);
	a = __sync_fetch_and_xor(&b, 1);
	a = __sync_fetch_and_nand(&b, 1);
	a = __sync_add_and_fetch(&b, 1);
	a = __sync_sub_and_fetch(&b, 1);
	a = __sync_or_and_fetch(&b, 1);
	a = __sync_and_and_fetch(&b, 1);
	a = __sync_xor_and_fetch(&b, 1);
	a = __sync_nand_and_fetch(&b, 1);
	a = __sync_bool_compare_and_swap(&b, 1, 2);
	a = __sync_val_compare_and_swap(&b, 1, 2);
	a = __sync_lock_test_and_set(&b, 1);
	__sync_lock_release(&b);
	__sync_synchronize();
	c = __sync_add_and_fetch(&c, 200);
	l = __sync_fetch_and_add_8(&l, 1);
	p = __sync_fetch_and_add(&p, 4);
	return __sync_bool_compare_and_swap(&p, 0, &a);
}
