// long double has 64 bits of mantissa.
#include <stdio.h>

static long double half(long double x) { return x / 2; }

int main(void) {
    long double x = 1.0L / 3;
    double d = 1.0 / 3;
    printf("%d %d\n", x == d, (double)x == d);
    long double big = 18446744073709551615ULL;
    printf("%d %llu\n", big + 1 > big, (unsigned long long)big);
    printf("%d\n", (int)(half(7) * 10));
    long double a[3] = {1, 2, 4};
    long double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += a[i] * x;
    printf("%.15Lf %Lg\n", sum, sum * 3);
    printf("%zu %zu\n", sizeof x, _Alignof(long double));
    long long n = 9007199254740993LL;
    printf("%lld %lld\n", (long long)(long double)n, (long long)(double)n);
    return 0;
}
