// Statement expressions, typeof, nested ranges, zero-length arrays, __auto_type, case ranges.
#include <stdio.h>

#define MAX(a, b)                                                                                                      \
    ({                                                                                                                 \
        __typeof__(a) _a = (a);                                                                                        \
        __typeof__(b) _b = (b);                                                                                        \
        _a > _b ? _a : _b;                                                                                             \
    })

struct header {
    int n;
    int data[0];
};

int main(void) {
    int i = 3;
    printf("%d %d\n", MAX(i++, 2), i);
    __auto_type d = 1.5;
    typeof(d) *p = &d;
    *p *= 3;
    printf("%g %zu\n", d, sizeof(struct header));
    int v = ({
        int t = 0;
        for (int k = 0; k < 4; k++)
            t += k;
        t;
    }) * 2;
    printf("%d\n", v);
    printf("%d\n", _Generic(d, int: 1, double: 2, default: 3) + _Generic('a', int: 10, char: 20));
    _Static_assert(sizeof(int) == 4, "int");
    return 0;
}
