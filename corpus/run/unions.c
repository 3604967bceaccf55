// Unions show the bytes of one member as another.
#include <stdio.h>

union u {
    int i;
    float f;
    unsigned char b[8];
    struct {
        short lo, hi;
    } s;
    long long l;
};

int main(void) {
    union u u = {.l = 0};
    u.f = 1.0f;
    printf("%x %d %d\n", u.i, u.s.lo, u.s.hi);
    u.i = 0x01020304;
    printf("%d %d %d %d\n", u.b[0], u.b[1], u.b[2], u.b[3]);
    u.s.hi = -1;
    printf("%x\n", u.i);
    u.b[5] = 7;
    printf("%llx\n", u.l);
    union u v = u;
    v.b[0]++;
    printf("%d %zu\n", v.i - u.i, sizeof u);
    union u a[2] = {{5}, {.f = -2.0f}};
    printf("%d %x\n", a[0].i, a[1].i);
    return 0;
}
