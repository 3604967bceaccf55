// Bit-fields of a packed struct cross the units of their type.
#include <stdio.h>
#include <string.h>

#pragma pack(push, 1)
struct packed {
    unsigned char tag;
    int a : 20;
    unsigned b : 13;
    long long c : 50;
    short d;
};
#pragma pack(pop)

struct __attribute__((packed)) also {
    char c;
    int i;
    double d;
};

int main(void) {
    struct packed p;
    memset(&p, 0, sizeof p);
    p.tag = 0xaa;
    p.a = -3;
    p.b = 0x1555;
    p.c = -123456789012LL;
    p.d = 0x7fff;
    unsigned char bytes[sizeof p];
    memcpy(bytes, &p, sizeof p);
    for (unsigned i = 0; i < sizeof p; i++)
        printf("%02x ", bytes[i]);
    printf("%zu\n%d %u %lld %d\n", sizeof p, p.a, p.b, (long long)p.c, p.d);
    p.a += 5;
    p.c >>= 7;
    printf("%d %u %lld\n", p.a, p.b, (long long)p.c);
    struct also q = {'x', 1 << 30, 2.5};
    printf("%zu %c %d %g\n", sizeof q, q.c, q.i, q.d);
    return 0;
}
