inline int sq(int x) { return x * x; }
static inline int st(int x) { return x + 1; }
extern inline __attribute__((gnu_inline)) int gi(int x) { return 100 + x; }
__attribute__((weak)) int wk(void) { return 1; }
__attribute__((weak)) int only(void) { return 2; }
int main(void)
{
	return sq(2) + st(3) + gi(4) + wk() + only();
}
