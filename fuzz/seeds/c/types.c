enum e { A = -1, B, C = 1 << 4 };
struct __attribute__((packed)) s { int x : 3, : 0; unsigned long y : 40; union { float f; char c[4]; }; struct s *next; int tail[]; };
typedef int (*fn)(const char *restrict, ...);
extern fn table[2];
static const volatile struct s *const p = 0;
int (*(*f(int n, int a[static n]))(void))[3];
_Static_assert(sizeof(struct s) > 4, "size");
long double big = 0x1.8p-3L; unsigned long long u = 0xffffULL; wchar_t; _Bool b = 'a' < L'\x41';
__extension__ typedef __int128 wide; typeof(1 + 2l) t; _Alignas(16) char buffer[8] = { [2] = 1, [4 ... 6] = 2 };
