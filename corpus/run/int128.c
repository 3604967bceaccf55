// 128-bit integers.
#include <stdio.h>

typedef __int128 wide;
typedef unsigned __int128 uwide;

static void show(uwide w) { printf("%016llx%016llx\n", (unsigned long long)(w >> 64), (unsigned long long)w); }

int main(void) {
    uwide u = (uwide)0xffffffffffffffffULL * 0xfffffffffffffffeULL;
    show(u);
    show(u / 1000007);
    show(u % 1000007);
    show(u << 5 | u >> 123);
    wide s = -(wide)u;
    show((uwide)s);
    show((uwide)(s / 12345));
    show((uwide)(s >> 70));
    printf("%d %d\n", s < 0, u > (uwide)s);
    printf("%.6g\n", (double)(wide)-12345678901234567LL);
    uwide f = 1;
    for (int i = 2; i < 30; i++)
        f *= i;
    show(f);
    return 0;
}
