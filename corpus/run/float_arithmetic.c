// Float and double arithmetic, rounding, conversions.
#include <stdio.h>

int main(void) {
    float f = 0.1f, g = 16777216.0f;
    double d = 0.1, e = 1e308;
    printf("%.9g %.17g %d\n", f + f + f, d + d + d, d + d + d == 0.3);
    printf("%.9g %.9g\n", g + 1, (double)g + 1);
    printf("%.17g %.9g\n", (double)f, (float)d);
    printf("%g %g %g\n", e * 10, -e * 10, e * 10 - e * 10 == e * 10 - e * 10 ? 1.0 : 0.0);
    printf("%d %d %d\n", (int)2.9, (int)-2.9, (int)1e9f);
    printf("%u %lld\n", (unsigned)3e9, (long long)-9e18);
    printf("%.9g %.17g\n", (float)16777217, (double)9007199254740993LL);
    printf("%.9g %.17g\n", (float)0xffffffffu, (double)0xffffffffffffffffULL);
    printf("%g %g\n", 1.0 / 3 * 3, 5 / 2 * 2.0);
    printf("%d %d %d\n", 0.0 == -0.0, 1 / 0.0 > 1e300, -1 / 0.0 < 0);
    float acc = 0;
    for (int i = 1; i <= 1000; i++)
        acc += 1.0f / i;
    printf("%.9g\n", acc);
    double h = 0;
    for (int i = 1000; i > 0; i--)
        h += 1.0 / i;
    printf("%.17g\n", h);
    int i = 10;
    i += 0.9;
    i -= 0.9;
    printf("%d\n", i);
    f = 3;
    f++;
    f /= 8;
    f--;
    printf("%g %g\n", f, -f);
    return 0;
}
