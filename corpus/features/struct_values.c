struct p { int x, y; };
struct n { struct p p; char c[3]; } g, h;
union u { int i; float f; } u, v;
struct p make(int x, int y) { struct p r = { x, y }; return r; }
struct p pass(struct p a, struct n b) { a.x += b.p.x; return a; }
union u flip(union u a) { return a; }
struct e { } e1, e2;
struct p *pp(void) { return &g.p; }

int main(void)
{
	struct p a, b;
	a = make(1, 2);
	b = a;
	a = pass(b, g);
	a = pass(make(3, 4), h);
	int r = make(5, 6).y;
	g = h;
	g.p = a;
	*pp() = b;
	b = *pp();
	pp()->x = 3;
	v = flip(u);
	u.i = 3;
	r += (int)u.f;
	e1 = e2;
	struct p arr[2];
	arr[r] = a;
	a = arr[1];
	r += (a = b).x;
	r += (r ? a : b).y;
	struct n *q = &g;
	*q = h;
	(*q).c[1] = 2;
	make(7, 8);
	return r + g.c[2];
}
