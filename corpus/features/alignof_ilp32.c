// flags: --data-model ilp32
// `__alignof__(type)` is what the type prefers, `_Alignof(type)` the least; both are the same of expressions.
struct record { char c; double d; long long l; double a[2]; };
struct __attribute__((packed)) tight { char c; double d; };
typedef double wide __attribute__((aligned(8)));
enum large { LARGE = 0x100000000ll };
struct record r;
struct tight t;
double g;
struct record *p;
_Static_assert(__alignof__(double) == 8 && __alignof(long long) == 8 && __alignof__(double[2]) == 8, "");
_Static_assert(_Alignof(double) == 4 && _Alignof(long long) == 4 && _Alignof(const double[2]) == 4, "");
_Static_assert(__alignof__(enum large) == 8 && _Alignof(enum large) == 4, "");
_Static_assert(__alignof__(wide) == 8 && _Alignof(wide) == 8, "");
_Static_assert(__alignof__(_Atomic double) == 8 && _Alignof(_Atomic long long) == 8, "");
_Static_assert(__alignof__(struct record) == 4 && _Alignof(struct record) == 4, "");
_Static_assert(__alignof__(r.d) == 4 && _Alignof(r.l) == 4 && __alignof__(p->a) == 4, "");
_Static_assert(__alignof__(p->a[0]) == 8 && _Alignof(p->a[0]) == 8, "");
_Static_assert(__alignof__(t.d) == 1 && _Alignof(t) == 1, "");
_Static_assert(__alignof__(g) == 8 && _Alignof(g) == 8 && __alignof__(*&g) == 8 && _Alignof(g + 1) == 8, "");

int main(void)
{
	return __alignof__(double) + _Alignof(double);
}
