char c;
signed char sc;
unsigned char uc;
short s;
unsigned short us;
_Bool t;
int r;

int main(void)
{
	r = c + sc;
	r = uc + us;
	r = s * us;
	r = uc << 4;
	r = us >> sc;
	r = ~uc;
	r = -t;
	r = t + t;
	r = c < uc;
	c = uc;
	uc = s;
	t = s;
	s = t;
	us = c;
	return 0;
}
