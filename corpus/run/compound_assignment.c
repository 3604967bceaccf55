// Compound assignment computes in the promoted type and converts back.
#include <stdio.h>

static int calls;
static int *place(int *p) {
    calls++;
    return p;
}

int main(void) {
    unsigned char c = 250;
    c += 10;
    printf("%d\n", c);
    c -= 20;
    printf("%d\n", c);
    c *= 3;
    printf("%d\n", c);
    signed char s = 100;
    s += 100;
    printf("%d\n", s);
    int i = 7;
    i *= 1.5;
    printf("%d\n", i);
    i /= 0.3f;
    printf("%d\n", i);
    unsigned u = 5;
    u -= 10;
    printf("%u\n", u);
    u %= 7;
    u <<= 3;
    u |= 0x81;
    u ^= 0xff;
    u &= ~2u;
    printf("%u\n", u);
    int a[3] = {1, 2, 3};
    *place(a + 1) += 5;
    (*place(a))++;
    --*place(a + 2);
    printf("%d %d %d %d\n", a[0], a[1], a[2], calls);
    int *p = a;
    *p++ = 10;
    *++p = 30;
    printf("%d %d %d %td\n", a[0], a[1], a[2], p - a);
    p -= 2;
    p += 1;
    printf("%d\n", *p);
    return 0;
}
