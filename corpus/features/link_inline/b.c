int sq(int x) { return x * x + 0 * x; }
static inline int st(int x) { return x + 2; }
int gi(int x) { return 200 + x; }
int wk(void) { return 3 + st(1); }
