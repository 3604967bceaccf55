float f;
double d;
long double ld;
_Float128 q;
int i;
unsigned u;
char c;
unsigned long long ull;
_Bool t;

int main(void)
{
	f = f + f;
	d = f + d;
	ld = d * ld;
	q = q / ld;
	f = d - f;
	f = i;
	f = u;
	d = c;
	d = ull;
	ld = t;
	i = f;
	u = d;
	c = d;
	ull = d;
	t = d;
	i = f < d;
	i = f == f;
	i = d != d;
	i = d >= ld;
	i = f > 1;
	i = !f;
	f = -f;
	d = +f;
	f = 1.5f + 1;
	d = 0.1 + 0.2;
	ld = 0.1L;
	d++;
	--f;
	f += d;
	i += f;
	i *= 0.5;
	if (d)
		c = 1;
	return 0;
}
