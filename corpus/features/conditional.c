int a, b, c;
unsigned u;
char ch;
long l;
double d;
int *p;
const int *cp;
void *v;
struct s { int x, y; } s1, s2, s3;
void g(void) { a = 1; }
int arr[3];
char text[4];

int main(void)
{
	int x = a, y;
	y = x ? 1 : 2;
	y = a ? b : c;
	y = x ? x : a;
	l = x ? a : u;
	l = x ? ch : u;
	l = x ? ch : ch;
	d = x ? a : d;
	p = x ? p : 0;
	v = x ? p : v;
	cp = x ? p : cp;
	v = x ? (void *)0 : p;
	y = *(x ? p : (void *)0);
	s3 = x ? s1 : s2;
	y = (x ? s1 : s2).y;
	x ? g() : (void)0;
	y = x ?: 5;
	y = a ?: b;
	y = (x > 1) ?: 7;
	l = a ? b ? 1 : 2 : 3;
	p = x ? arr : p;
	y = 1 ? x : a / 0;
	y = sizeof(x ? 'a' : 'b') + sizeof(x ? text : 0);
	y = -1 < (x ? 1 : 0u);
	(x ? &a : &b)[0] = 3;
	return y;
}
