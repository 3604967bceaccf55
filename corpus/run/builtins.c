// GCC's builtins for bits, overflow and bytes.
#include <stdio.h>

int main(void) {
    unsigned v[] = {1, 2, 0x80000000u, 0xf0f0, 12345678};
    for (int i = 0; i < 5; i++)
        printf("%d %d %d %d %d %x\n", __builtin_clz(v[i]), __builtin_ctz(v[i]), __builtin_popcount(v[i]), __builtin_ffs((int)v[i]), __builtin_parity(v[i]),
               __builtin_bswap32(v[i]));
    printf("%d %d %d\n", __builtin_clzll(1ULL << 40), __builtin_ctzll(1ULL << 40), __builtin_popcountll(-1LL));
    printf("%llx %x\n", (unsigned long long)__builtin_bswap64(0x0102030405060708ULL), __builtin_bswap16(0x1234));
    int r;
    int o = __builtin_add_overflow(2147483647, 1, &r);
    printf("%d %d\n", o, r);
    o = __builtin_mul_overflow(65536, 32767, &r);
    printf("%d %d\n", o, r);
    unsigned u;
    o = __builtin_sub_overflow(1u, 2u, &u);
    printf("%d %u\n", o, u);
    signed char c;
    o = __builtin_add_overflow(100, 27, &c);
    printf("%d %d\n", o, c);
    printf("%d %d\n", (int)__builtin_expect(3, 0), __builtin_constant_p(3));
    printf("%d\n", __builtin_types_compatible_p(int, signed));
    return 0;
}
