// sizeof, alignment and offsets under LP64.
#include <stddef.h>
#include <stdio.h>

struct a {
    char c;
    long l;
    char d;
};
struct b {
    char c;
    struct a a;
    short s[3];
    char flex[];
};
union u {
    char c[9];
    int i;
};
enum e { E };

int main(void) {
    printf("%zu %zu %zu %zu %zu %zu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(long long), sizeof(void *));
    printf("%zu %zu %zu %zu %zu\n", sizeof(float), sizeof(double), sizeof(struct a), sizeof(struct b), sizeof(union u));
    printf("%zu %zu %zu\n", offsetof(struct a, l), offsetof(struct b, s), offsetof(struct b, flex));
    printf("%zu %zu %zu\n", _Alignof(struct a), _Alignof(union u), sizeof(enum e));
    int m[3][4];
    printf("%zu %zu %zu %zu\n", sizeof m, sizeof m[0], sizeof m[0][0], sizeof &m);
    int i = 0;
    printf("%zu %d\n", sizeof(i++), i);
    struct {
        _Alignas(32) char c;
        int i;
    } al;
    printf("%zu %zu\n", sizeof al, sizeof(char[3][5]));
    printf("%zu\n", offsetof(struct b, a.d));
    return 0;
}
