// Comparisons with NaN, infinities and signed zero.
#include <stdio.h>

static void compare(double a, double b) {
    printf("%d%d%d%d%d%d%d ", a < b, a <= b, a == b, a != b, a >= b, a > b, !(a < b));
}

int main(void) {
    double zero = 0, inf = 1 / zero, nan = zero / zero;
    double v[] = {0, -0.0, 1, -1, inf, -inf, nan};
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 7; j++)
            compare(v[i], v[j]);
        puts("");
    }
    printf("%d %d %d\n", nan ? 1 : 0, !nan, zero ? 1 : 0);
    float f = 0.1f;
    printf("%d %d\n", f == 0.1, f == 0.1f);
    printf("%f %f %f %e\n", inf, -inf, nan * 0 == 0 ? 1.0 : 2.0, inf);
    printf("%d\n", __builtin_isnan(nan) + 2 * (__builtin_isinf(inf) != 0));
    return 0;
}
