// flags: --data-model ilp32
int *p, *q;
char *s;
void *v;
int (*rows)[3];
long i;
unsigned u;
char c;
int (*f)(void);

int main(void)
{
	p = p + 1;
	p = p - 2;
	p = i + p;
	p = p + u;
	p = p - c;
	p += c;
	p -= i;
	p++;
	--p;
	s = s + i;
	v = v + 4;
	rows = rows + i;
	i = p - q;
	i = s - (char *)v;
	i = rows - (int (*)[3])v;
	i = p == q;
	i = p < q;
	i = p >= q;
	i = p != 0;
	i = !p;
	i = v == p;
	i = p && q;
	p = 0;
	v = p;
	q = v;
	i = (long)p;
	p = (int *)i;
	c = (char)(long)p;
	f = f + 1;
	return 0;
}
