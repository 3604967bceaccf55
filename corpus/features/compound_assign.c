char c;
unsigned char uc;
short s;
int i;
unsigned u;
long l;
float f;
int *p;

int main(void)
{
	c += 1;
	uc -= c;
	uc *= uc;
	s /= 3;
	s %= u;
	s <<= 2;
	uc >>= 1;
	c >>= i;
	i += l;
	i -= u;
	i /= u;
	u /= i;
	u >>= l;
	l |= i;
	l &= u;
	i ^= 5;
	c *= 1.5;
	f += i;
	f /= 2;
	p += i;
	p -= 1;
	i = c += 2;
	l = uc = i;
	i += i += 1;
	return 0;
}
