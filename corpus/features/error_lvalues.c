struct b { int f : 3; } b;
int f(void) { return 1; }

int main(void)
{
	int i, *p;
	p = &5;
	p = &(i + 1);
	p = &f();
	p = &b.f;
	++5;
	f()++;
	i = *i;
	i = i[i];
	i = i->x;
	i = p.x;
	i = b.missing;
	i = (&b)->missing;
	i = sizeof b.f;
	i();
	return 3(4);
}
