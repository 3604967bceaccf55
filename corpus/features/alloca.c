void *alloca(unsigned long);
int n;

int main(void)
{
	int *p = alloca(n * sizeof(int));
	char *q = __builtin_alloca(16);
	*p = 1;
	*q = 2;
	for (int i = 0; i < 2; i++)
		p = __builtin_alloca_with_align(8, 64);
	return *p;
}
