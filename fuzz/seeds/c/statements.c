int printf(const char *, ...);
int f(int n) {
    static int k; int v[n + 1], *q = (int[]){ 1, 2, 3 };
    for (int i = 0; i < n; i++) { if (i & 1) continue; v[i] = q[i % 3] ?: -1; }
again:
    switch (n) { case 0: return k; case 1 ... 4: k++; default: n--; goto *(&&again); }
    do { n = ({ int t = n; t << 2; }) | ~k, n > 100 ? n /= 3 : (n *= 2); } while (!n || n != 7 && k--);
    return _Generic(n, int: sizeof v, default: 0) + (n = 3, *q++) + __builtin_offsetof(struct { char c; int i; }, i);
}
int main(int argc, char **argv) { printf("%-5d|%s|%.2f\n", f(argc), argv[0], 1.5e3 / 7); return "abc"[1] == 'b'; }
