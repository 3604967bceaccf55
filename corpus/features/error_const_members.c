struct s { int a; const int b; int c[2][2]; } s;
const struct s cs = { 1 };
const struct s *p;
int *q;

int main(void)
{
	s.a = 1;
	s.b = 2;
	cs.a = 3;
	p->a = 4;
	p->c[1][0] = 5;
	cs.c[0][1] = 6;
	*(const int *)q = 7;
	const int arr[2] = { 1, 2 };
	arr[0] = 1;
	int *const cp = q;
	cp = 0;
	*cp = 1;
	return 0;
}
