struct p { int x, y; };
int f(struct p *p) { return p->x; }
int g(struct p p) { return p.y; }
int a;
struct p gl = (struct p){ 7, 8 };
int garr[] = (int[]){ 1, 2, 3 };

int main(void)
{
	struct p s = (struct p){ 1, a };
	int r = f(&(struct p){ .y = 2 });
	r += g((struct p){ 3, 4 });
	r += (int){ 5 };
	r += ((int[]){ 1, 2, 3 })[a];
	int *q = (int[2]){ a };
	for (int i = 0; i < 2; i++) {
		int *w = &(int){ i };
		r += *w;
	}
	s = (struct p){ s.y, s.x };
	const char *t = (char[]){ "abc" };
	r += sizeof (int[]){ 1, 2 };
	if (a)
		q = &(int){ 9 };
	return r + s.x + *q + *t + gl.x + garr[2];
}
