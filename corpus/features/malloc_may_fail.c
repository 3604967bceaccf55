// flags: --malloc-may-fail
void *malloc(unsigned long);
void free(void *);

int main(void)
{
	int *p = malloc(4);
	if (!p)
		return 1;
	*p = 2;
	free(p);
	return 0;
}
