// Integer promotions and the usual arithmetic conversions.
#include <stdio.h>

int main(void) {
    unsigned char uc = 200;
    signed char sc = -1;
    short s = -32768;
    unsigned short us = 65535;
    unsigned u = 1;
    long l = -1;
    unsigned long ul = 1;
    printf("%d %d\n", uc + uc, (unsigned char)(uc + uc));
    printf("%d %d\n", sc < u, sc < (int)u);
    printf("%d %d\n", l < u, l < ul);
    printf("%d %d\n", us * 2, s * -1);
    printf("%d %d %d\n", ~uc, -uc, !uc);
    printf("%d %d\n", us << 1, uc >> 3);
    printf("%zu %zu %zu\n", sizeof(uc + uc), sizeof(s + l), sizeof(+sc));
    printf("%lu\n", (unsigned long)-1 / 2 + sc);
    printf("%d\n", (sc == 255) + 2 * (sc == (signed char)255) + 4 * (us == -1));
    return 0;
}
