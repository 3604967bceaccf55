// Division and remainder truncate towards zero.
#include <limits.h>
#include <stdio.h>

int main(void) {
    int a[] = {7, -7, 8, -8, 0, INT_MAX, INT_MIN};
    int b[] = {2, -2, 3, -3, 1, INT_MAX, INT_MIN};
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++)
            printf("%d %d%c", a[i] / b[j], a[i] % b[j], j == 6 ? '\n' : ' ');
    for (int i = 0; i < 7; i++)
        printf("%u %u ", (unsigned)a[i] / 10, (unsigned)a[i] % 10);
    long long m = LLONG_MIN;
    printf("\n%lld %lld %lld\n", m / 10, m % 10, m / LLONG_MAX);
    unsigned long long n = ULLONG_MAX;
    printf("%llu %llu %llu\n", n / 10, n % 10, n / (n - 1));
    signed char c = -128;
    printf("%d %d\n", c / -1, c % 7);
    return 0;
}
