typedef int qi __attribute__((mode(QI)));
typedef unsigned hi __attribute__((mode(HI)));
typedef int di __attribute__((__mode__(__DI__)));
typedef unsigned int ti __attribute__((mode(TI)));
typedef int word __attribute__((mode(word)));
typedef float df __attribute__((mode(DF)));
typedef union { int *i; const char *s; long l; } __attribute__((transparent_union)) arg;
struct __attribute__((packed)) p { char c; int i; short s[2]; double d; };
struct q { char c; int i __attribute__((packed)); char e; };
struct r { char c; struct { int x; } __attribute__((packed)) in; };
enum __attribute__((packed)) small { A, B };
enum __attribute__((packed)) mid { C = -200, D };
int sizes[] = { sizeof(qi), sizeof(hi), sizeof(di), sizeof(ti), sizeof(word), sizeof(df), sizeof(struct p), sizeof(struct q), sizeof(struct r),
	sizeof(enum small), sizeof(enum mid) };
struct p gp;
qi x;
hi y;
int take(arg a) { return *a.i; }

int main(void)
{
	int v = 3;
	const char *s = "abcd";
	arg a = { .l = 1 };
	gp.i = 5;
	gp.s[1] = 6;
	gp.d = 1;
	x = y;
	y = x - 1;
	return take(&v) + take(s) + take(a) + sizes[0];
}
