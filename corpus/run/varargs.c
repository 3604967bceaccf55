// Functions with variable arguments.
#include <stdarg.h>
#include <stdio.h>

struct point {
    int x, y;
};

static double sum(const char *kinds, ...) {
    va_list ap, copy;
    va_start(ap, kinds);
    va_copy(copy, ap);
    double total = 0;
    for (const char *k = kinds; *k; k++) {
        switch (*k) {
        case 'i': total += va_arg(ap, int); break;
        case 'l': total += va_arg(ap, long long); break;
        case 'd': total += va_arg(ap, double); break;
        case 's': total += va_arg(ap, char *)[0]; break;
        case 'p': {
            struct point p = va_arg(ap, struct point);
            total += p.x * p.y;
            break;
        }
        }
    }
    va_end(ap);
    if (kinds[0] == 'i')
        total += va_arg(copy, int) * 1000;
    va_end(copy);
    return total;
}

static int nested(int n, va_list ap) { return n == 0 ? 0 : va_arg(ap, int) + nested(n - 1, ap); }
static int count(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int r = nested(n, ap);
    va_end(ap);
    return r;
}

int main(void) {
    char c = 'a';
    float f = 1.5f;
    short s = -3;
    printf("%g\n", sum("iisd", 1, 2, "A", 0.5));
    printf("%g\n", sum("iid", c, s, f));
    printf("%g\n", sum("lp", 1LL << 40, (struct point){3, 4}));
    printf("%g\n", sum(""));
    printf("%d %d\n", count(3, 1, 2, 3), count(0));
    return 0;
}
