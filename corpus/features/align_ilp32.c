// flags: --data-model ilp32
_Alignas(16) int a;
_Alignas(double) char b;
int c __attribute__((aligned(32)));
typedef int al8 __attribute__((aligned(8)));
al8 d;
struct s { char c; _Alignas(8) char e; al8 f; } s;
struct t { char c; int i; } __attribute__((packed, aligned(4))) t;
struct __attribute__((aligned)) m { char c; } m;
int v[] = {
	_Alignof(int), _Alignof(char), __alignof__(a), _Alignof(double), _Alignof(long long), _Alignof(struct s), __alignof__(c),
	_Alignof(al8), sizeof(struct s), sizeof(struct t), _Alignof(struct t), sizeof(struct m), _Alignof(long double), _Alignof(int[3]),
	__alignof__(s.e), __alignof__(t.i), __builtin_offsetof(struct s, f), __builtin_offsetof(struct t, i),
};

int main(void)
{
	_Alignas(64) char local = 1;
	return v[0] + a + b + c + d + s.c + t.c + m.c + *&local;
}
