// flags: --data-model ilp32
long double a, b;
_Float128 q;
__float128 r;
double d;
int i;
long double t[] = { 1.0L, -0.5L, 1e30L, 3 };
int n[] = { sizeof(long double), _Alignof(long double), sizeof(_Float128), sizeof(long double[2]) };
struct { char c; long double d; } s;

int main(void)
{
	a = a * b + 1;
	a = d;
	d = a;
	i = a;
	a = i;
	q = a;
	a = q;
	r = q + d;
	i = a < b;
	i = a == d;
	s.d = -a;
	a++;
	return n[0] + t[0] + sizeof s;
}
