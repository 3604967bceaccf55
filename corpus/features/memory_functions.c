typedef unsigned long size_t;
void *malloc(size_t), *calloc(size_t, size_t);
void free(void *);
void *memcpy(void *, const void *, size_t), *memset(void *, int, size_t), *memmove(void *, const void *, size_t);
struct s { int a; long b; } g;
int n;

int main(void)
{
	struct s *p = malloc(sizeof *p);
	int *q = (int *)calloc(n, sizeof(int));
	char *r = malloc(n + 1);
	memcpy(p, &g, sizeof g);
	memset(q, 0, n * sizeof *q);
	memset(p, 0xff, sizeof(struct s));
	memmove(r + 1, r, n);
	char *end = memcpy(r, "ab", 3);
	*end = 1;
	free(p);
	free(q);
	free(0);
	free((void *)r);
	return 0;
}
