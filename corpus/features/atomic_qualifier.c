_Atomic int a;
_Atomic(long) l;
int _Atomic *p;
_Atomic _Bool b;
_Atomic float f;
_Atomic unsigned char c;
int *_Atomic ap;
struct { _Atomic int m; int n; } s;
int x;

int main(void)
{
	a = 1;
	x = a;
	a = a + 1;
	a++;
	x = a++;
	x = --a;
	a += 2;
	a *= x;
	x = a <<= 1;
	l |= x;
	*p = 3;
	x = *p;
	*p -= 1;
	b = !b;
	b |= 1;
	f += 1;
	c++;
	ap++;
	ap += x;
	s.m = 1;
	s.m++;
	s.n++;
	a;
	if (a)
		x = 1;
	_Atomic int local = 3;
	local++;
	return local;
}
