struct b { unsigned a : 3; int b : 5; unsigned : 4; unsigned c : 20; unsigned long d : 40; _Bool e : 1; };
struct b g = { 5, -3, 0xfffff, 0x123456789a, 1 };
struct b h = { .b = 31, .e = 2 };
struct b k = { .a = 9, .a = 2 };
int x;

int main(void)
{
	struct b l = { 1, x, .d = 7, .e = x };
	struct b m = { 0 };
	return g.a + h.b + k.a + l.c + m.b;
}
