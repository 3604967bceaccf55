_Bool a, b;
int i;
double d;
int *p;

int main(void)
{
	a = i;
	a = d;
	a = p;
	a = 2;
	a = 0.5;
	a = a + b;
	a = a & b;
	a |= b;
	a ^= i;
	a++;
	a--;
	b = a++;
	b = --a;
	i = a;
	i = ~a;
	i = a == 1;
	a = !a;
	a = (_Bool)i;
	a = (i & 4) != 0;
	return a ? 3 : 4;
}
