// Bit-fields: signs, widths, packing, assignment values, promotion.
#include <stdio.h>
#include <string.h>

struct flags {
    unsigned a : 1;
    signed b : 3;
    unsigned c : 5;
    int : 0;
    unsigned long long d : 40;
    _Bool e : 1;
    signed char f : 7;
};

union view {
    struct {
        unsigned lo : 4, mid : 9, hi : 19;
    } bits;
    unsigned word;
};

int main(void) {
    struct flags s;
    memset(&s, 0, sizeof s);
    s.a = 3;
    s.b = 5;
    s.c = 37;
    s.d = 0x123456789abcULL;
    s.e = 2;
    s.f = 65;
    printf("%d %d %d %llx %d %d %zu\n", s.a, s.b, s.c, (unsigned long long)s.d, s.e, s.f, sizeof s);
    printf("%d\n", (s.b = 6) + 1);
    s.b++;
    s.c += 30;
    s.d -= 1;
    s.a ^= 1;
    printf("%d %d %d %llx\n", s.a, s.b, s.c, (unsigned long long)s.d);
    printf("%d %d\n", s.c - 100 < 0, s.a - 2 < 0);
    union view v = {.word = 0xdeadbeef};
    printf("%x %x %x\n", v.bits.lo, v.bits.mid, v.bits.hi);
    v.bits.mid = 0;
    printf("%x\n", v.word);
    v.bits.hi--;
    v.bits.lo = ~v.bits.lo;
    printf("%x\n", v.word);
    struct flags copy = s;
    copy.b = -4;
    printf("%d %d\n", copy.b, s.b);
    return 0;
}
