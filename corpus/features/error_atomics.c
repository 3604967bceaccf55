struct s { int a[4]; } s;
float f;
int i;

int main(void)
{
	i = __atomic_load_n(&s, 5);
	i = __atomic_fetch_add(&f, 1, 5);
	i = __atomic_fetch_add(&i, 1);
	i = __sync_fetch_and_add(&i);
	i = __sync_nothing(&i);
	i = __atomic_load_n(3, 5);
	return 0;
}
