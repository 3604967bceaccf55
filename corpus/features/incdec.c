char c;
unsigned char uc;
int i;
unsigned long ul;
float f;
double d;
int *p;
struct { int b : 3; unsigned u : 5; } s;

int main(void)
{
	int x = 0, y;
	i++;
	++i;
	i--;
	--i;
	y = x++;
	y = ++x;
	y = x--;
	y = --x;
	c++;
	i = uc--;
	i = --uc;
	ul++;
	f++;
	i = d--;
	i = *p++;
	i = *++p;
	i = (*p)++;
	i = --*p;
	s.b++;
	i = s.u--;
	i = --s.u;
	x = x++ + 1;
	return y;
}
