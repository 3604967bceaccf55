struct s { int x; } s, t;
int *p, *q;
double d;
void v(void);

int main(void)
{
	int i;
	i = s + 1;
	i = p + q;
	i = p * 2;
	i = d % 2;
	i = d << 1;
	i = ~d;
	i = -p;
	i = !s;
	i = s == t;
	i = p == d;
	i = 1 - p;
	i = v() + 1;
	i = d & 1;
	s++;
	p += p;
	p += 1.5;
	if (s)
		i = 1;
	return i;
}
