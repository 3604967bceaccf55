union u { int i; unsigned char b[4]; float f; struct { short lo, hi; } h; } u, v;
struct tagged { int tag; union { int i; double d; char *s; } v; } t[2];
union u make(int i) { union u r; r.i = i; return r; }

int main(void)
{
	u.i = 0x01020304;
	u.b[2] = u.b[0];
	u.h.hi = u.h.lo;
	u.f = u.i;
	v = u;
	v = make(u.i);
	t[1].v.d = t[0].v.i;
	t[0] = t[1];
	union u *p = &v;
	p->b[u.b[1]] = 1;
	return make(3).b[0] + p->i + sizeof(union u);
}
