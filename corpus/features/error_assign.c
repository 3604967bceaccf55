struct s { int x; } s;
struct t { int x; } t;
const int c = 1;
const struct s cs;
int arr[3], other[3];
int *p;
double d;
int f(void) { return 0; }
void nothing(void) { }

int main(void)
{
	c = 2;
	c++;
	cs.x = 1;
	arr = other;
	f() = 3;
	5 = p;
	f = 0;
	s = t;
	s = 1;
	p = d;
	d = p;
	int i = nothing();
	i = s;
	"abc"[0] = 'x';
	*&i = 1;
	(i) = 2;
	(i, i) = 3;
	(i ? i : i) = 4;
	return i;
}
