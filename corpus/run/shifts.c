// Shifts of signed and unsigned values of all widths.
#include <stdio.h>

int main(void) {
    for (int n = 0; n < 32; n += 7)
        printf("%d %u %d %d\n", 1 << n, 0x80000001u >> n, -1000 >> n, (int)(0xdeadbeefu << n));
    for (int n = 0; n < 64; n += 13)
        printf("%lld %llu %lld\n", 1LL << n, 0x8000000000000001ULL >> n, -123456789012345LL >> n);
    signed char c = -128;
    unsigned char u = 128;
    printf("%d %d %d %d\n", c >> 1, c << 1, u >> 1, u << 1);
    c >>= 3;
    u <<= 1;
    printf("%d %d\n", c, u);
    long long big = 1;
    unsigned char amount = 40;
    printf("%lld %d\n", big << amount, (int)(big << amount >> 38));
    return 0;
}
