// Functions of real numbers, by their names and through pointers.
#include <math.h>
#include <stdio.h>

static double apply(double (*f)(double), double x)
{
    return f(x);
}

int main(void)
{
    volatile double x = 2, y = 0.5;
    volatile float s = 2, t = 0.5f;
    printf("%.17g %.17g %.17g\n", sin(x), cos(x), tan(x));
    printf("%.17g %.17g %.17g %.17g\n", asin(y), acos(y), atan(y), atan2(x, y));
    printf("%.17g %.17g %.17g %.17g\n", exp(x), exp2(y), log(x), log10(x));
    printf("%.17g %.17g %.17g\n", log2(3 * x), pow(x, y), hypot(x, y));
    printf("%.17g %.17g %.17g %.17g %.17g\n", sinh(x), cosh(x), tanh(x), expm1(y), log1p(y));
    printf("%.9g %.9g %.9g %.9g\n", sinf(s), cosf(t), expf(t), logf(s));
    printf("%.9g %.9g %.9g\n", powf(s, t), atan2f(s, t), hypotf(s, t));
    printf("%.17g %.17g\n", apply(sin, 1), apply(log, 10));
    printf("%a %a %a\n", ldexp(1.5, -1074), ldexp(0.75, 1024), scalbn(1.25, -1073));
    printf("%d %d\n", isnan(log(-x)) != 0, isinf(log(0 * x)) != 0);
    return 0;
}
