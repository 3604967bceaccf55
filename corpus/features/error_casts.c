struct s { int x; } s;
struct t { int y; } t;
union u { int a; } u;
double d;
int *p;

int main(void)
{
	int i;
	i = (int)s;
	s = (struct s)t;
	s = (struct s)1;
	p = (int *)d;
	d = (double)p;
	u = (union u)d;
	i = (int[2])p;
	i = (struct none)i;
	return i;
}
