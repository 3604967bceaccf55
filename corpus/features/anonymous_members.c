struct s {
	int a;
	union {
		int b;
		struct { short c, d; };
	};
	struct { int e; } in;
	union { int f; float g; };
} s = { 1, { 2 }, { 3 }, { .g = 1.0f } }, *p = &s;
struct t { const struct { int k; }; } t = { { 5 } };
int off[] = { __builtin_offsetof(struct s, c), __builtin_offsetof(struct s, d), __builtin_offsetof(struct s, in.e), __builtin_offsetof(struct s, g) };

int main(void)
{
	s.b = 7;
	p->d = 8;
	s.in.e = s.c;
	p->g = p->f;
	struct s l = { .d = 1, .in = { 2 }, .f = 3 };
	return s.a + l.c + l.d + t.k + off[1];
}
