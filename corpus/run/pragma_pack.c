// #pragma pack bounds the alignment of members.
#include <stddef.h>
#include <stdio.h>

struct natural {
    char c;
    double d;
    short s;
};
#pragma pack(push, 2)
struct two {
    char c;
    double d;
    short s;
};
#pragma pack(1)
struct one {
    char c;
    struct natural n;
    long l;
    char b : 5, e : 6;
    int f : 30;
};
struct __attribute__((aligned(4))) outer {
    char c;
    short s;
};
#pragma pack(pop)
struct after {
    char c;
    int i;
};
_Pragma("pack(push, four, 4)") struct four {
    char c;
    long long l;
    int : 0;
    char d;
    long long : 0;
    char e;
};
#pragma pack(pop, four)
union back {
    char c[9];
    long l;
};

int main(void) {
    printf("%zu %zu %zu\n", sizeof(struct natural), sizeof(struct two), sizeof(struct one));
    printf("%zu %zu %zu %zu\n", offsetof(struct two, d), offsetof(struct one, n), offsetof(struct one, l), _Alignof(struct one));
    printf("%zu %zu %zu %zu %zu\n", sizeof(struct outer), sizeof(struct after), sizeof(struct four), offsetof(struct four, d), offsetof(struct four, e));
    printf("%zu\n", sizeof(union back));
    struct one o = {.n.d = 1.5, .l = -7, .b = -9, .e = 21, .f = 1 << 28};
    struct one *p = &o;
    p->l *= 3;
    p->f -= 1;
    printf("%g %ld %d %d %d\n", p->n.d, p->l, p->b, p->e, p->f);
    return 0;
}
