# 1 "old.c"
# 7 "other.h" 1 3
add(a, b) char a; short b; { register r = a + b; return r; }
extern int x; int x; int x = 1; static inline __attribute__((noreturn, cold)) void die(void) { for (;;) ; }
struct a { struct b { int i; } b; } c = { { 1 } }, d[2] = { [1].b.i = 4 };
int asm_free(void) { __asm__ volatile ("nop" : : "r"(x) : "memory"); return -x % 3 >> 1; }
int main() { return add(1, 2) == 3 ? c.b.i : (die(), 0); }
