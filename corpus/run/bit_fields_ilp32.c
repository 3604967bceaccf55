// data-model: ilp32
// Types of bit-fields in expressions where `long` has 32 bits.
#include <stdio.h>
#define TYPE(e) \
    _Generic((e), int: "int", unsigned: "unsigned", long: "long", unsigned long: "unsigned long", default: "other")

struct fields {
    long narrow : 12;
    long all : 32;
    unsigned long all_unsigned : 32;
    unsigned long few : 5;
    int same : 32;
    unsigned same_unsigned : 32;
} s = { -3, -4, 5, 6, 7, 8 };

int main(void) {
    puts(TYPE(s.narrow + 0));
    puts(TYPE(s.all + 0));
    puts(TYPE(s.all_unsigned + 0));
    puts(TYPE(+s.few));
    puts(TYPE(-s.same));
    puts(TYPE(~s.same_unsigned));
    puts(TYPE(s.few ? s.all : s.narrow));
    printf("%d %d\n", s.all < s.all_unsigned, s.narrow < s.few);
    printf("%zu %ld %lu\n", sizeof(s.all + 0), s.all * 2, s.all_unsigned - 6);
    return 0;
}
