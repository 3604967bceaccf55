_Static_assert(sizeof(int) == 4, "int");
_Static_assert(1);
_Static_assert(-1 < 0 && 1u > 0 && 'a' == 97, "values");
struct s { int x; _Static_assert(sizeof(long) == 8, "in a struct"); int y; };
_Static_assert(__builtin_offsetof(struct s, y) == 4 && _Alignof(struct s) == 4, "places");
_Static_assert((int)1.9 == 1 && sizeof(struct s[2]) == 16 && (sizeof(char) ? 1 : 0 / 1), "more");
enum { N = sizeof(struct s) };

int main(void)
{
	_Static_assert(N == 8, "in a block");
	int a[N - 6 ? N : 1];
	return sizeof a;
}
