// Conversions to narrower and wider integer types.
#include <stdio.h>

int main(void) {
    long long big = 0x123456789abcdef0LL;
    int i = (int)big;
    short s = (short)big;
    signed char c = (signed char)big;
    unsigned char uc = (unsigned char)-1;
    _Bool b = 256, b2 = 0.1, b3 = (unsigned char)256;
    printf("%x %hx %hhx %d %d\n", i, s, c, c, uc);
    printf("%d %d %d\n", b, b2, b3);
    printf("%lld %lld\n", (long long)(int)0x80000000u, (long long)0x80000000u);
    printf("%llu\n", (unsigned long long)(signed char)0x80);
    printf("%lld\n", (long long)(unsigned char)0x80);
    uc += 300;
    s = 40000;
    printf("%d %d\n", uc, s);
    c = 127;
    c++;
    printf("%d %d\n", c, c--);
    printf("%d\n", (unsigned short)70000 + (short)70000);
    return 0;
}
