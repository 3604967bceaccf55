// flags: --data-model ilp32
struct b { int a : 3; unsigned u : 5; unsigned w : 32; long l : 40; unsigned long ul : 64; _Bool t : 1; unsigned char c : 7; enum { X, Y } e : 2; } s, *p;
struct __attribute__((packed)) pk { char c; int x : 12; int y : 20; unsigned z : 30; } q;
int i;
long l;

int main(void)
{
	i = s.a;
	i = s.u;
	l = s.w;
	l = s.l;
	l = s.ul;
	i = s.t;
	i = s.c;
	i = s.e;
	s.a = i;
	s.u = i;
	s.w = i;
	s.l = i;
	s.ul = i;
	s.t = i;
	s.c = i;
	s.e = Y;
	i = s.a = 7;
	i = s.u = -1;
	i = p->u += 3;
	p->a <<= 1;
	i = s.u < -1;
	i = s.w < -1;
	i = s.l < -1;
	i = -s.u;
	i = ~s.c;
	i = s.t + s.t;
	i = q.x;
	q.y = i;
	q.z = i;
	i = q.z;
	if (s.t)
		s.t = !s.t;
	return 0;
}
