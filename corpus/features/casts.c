char c; unsigned char uc; short s; unsigned short us; int i; unsigned u; long l; unsigned long ul;
float f; double d; int *p; void *v; enum e { A } e; _Bool t;

int main(void)
{
	i = (char)i;
	i = (unsigned char)i;
	i = (short)u;
	u = (unsigned short)i;
	l = (int)u;
	l = (unsigned)i;
	ul = (char)c;
	ul = (unsigned char)c;
	i = (int)l;
	i = (int)(unsigned char)(char)i;
	c = (char)f;
	uc = (unsigned char)d;
	us = (unsigned short)f;
	l = (long)d;
	ul = (unsigned long)f;
	f = (float)ul;
	f = (float)d;
	d = (double)(float)d;
	d = (char)i;
	t = (_Bool)p;
	t = (_Bool)f;
	e = (enum e)l;
	p = (int *)v;
	v = (void *)ul;
	v = (void *)i;
	v = (void *)c;
	ul = (unsigned long)p;
	i = (int)(long)p;
	uc = (unsigned char)(unsigned long)p;
	(void)i;
	(void)p[0];
	i = (const int)u;
	return (int)3.7 + (int)-3.7 + (unsigned char)300 + (signed char)200 + (char)-1 + (_Bool)7 + (int)'\xff';
}
