union u { char c; int i; struct { short a, b; } s; double d; };
union u u1 = { 65 };
union u u2 = { .i = 7 };
union u u3 = { .s = { 1, 2 } };
union u u4 = { .s.a = 1, .s.b = 2 };
union u u5 = { .i = 7, .c = 1 };
struct { int k; union u u; int e; } su = { 1, { .i = 2 }, 3 };
struct { int k; union { int a; long b; }; int e; } an = { 1, .b = 5, 9 };
union u arr[2] = { { 1 }, { .d = 1.5 } };
union { int a[2]; char c[8]; } ua = { 1, 2 };

int main(void)
{
	union u l1 = { 65 };
	union u l2 = { .d = 2.5 };
	union u l3 = { .i = 7, .s.b = 1 };
	union u l4 = u2;
	union u l5 = (union u)3;
	struct { int k; union { int a; long b; }; int e; } lan = { .a = 1, .e = 2 };
	return u1.c + u2.c + u3.c + u4.c + u5.c + su.k + an.a + arr[0].c + ua.c[0] + l1.i + l2.i + l3.i + l4.i + l5.i + lan.a;
}
