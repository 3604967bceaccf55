__int128 a, b;
unsigned __int128 ua;
long l;
unsigned long ul;
double d;
int r;

int main(void)
{
	a = a * b + l;
	a = ul;
	ua = l;
	ua = a / ua;
	a = a / b;
	a = a >> 64;
	ua = ua >> r;
	l = a;
	d = a;
	d = ua;
	a = d;
	ua = d;
	r = a < ua;
	r = a < b;
	r = !a;
	if (ua)
		a++;
	return 0;
}
