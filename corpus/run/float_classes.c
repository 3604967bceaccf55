// Classes of floating-point numbers, and functions of them whose results are known.
#include <math.h>
#include <stdio.h>

static void classify(double x)
{
    int class = fpclassify(x);
    printf("%d%d%d%d%d %d %d\n", class == FP_NAN, class == FP_INFINITE, class == FP_NORMAL, class == FP_SUBNORMAL,
           class == FP_ZERO, !!isnormal(x), !!isfinite(x));
}

int main(void)
{
    double zero = 0;
    int e;
    classify(0.0);
    classify(-0.0);
    classify(1.0);
    classify(-2.5e-308);
    classify(2.2250738585072014e-308);
    classify(2.2250738585072009e-308);
    classify(4.9e-324);
    classify(1 / zero);
    classify(zero / zero);
    printf("%d %d\n", fpclassify(1e-40f) == FP_SUBNORMAL, fpclassify(1e-40L) == FP_NORMAL);
    printf("%g %g %g %g %g\n", pow(2, 10), pow(-3, 3), pow(7, 0), pow(1, 1e300), pow(10, 15));
    printf("%g %g %g %g %g\n", exp(0), log(1), sin(0), cos(0), hypot(0, -3));
    printf("%g %g %g\n", ldexp(0.75, 4), ldexp(3, -1), scalbn(1, 10));
    double m = frexp(-12, &e);
    printf("%g %d\n", m, e);
    m = frexp(0.1, &e);
    printf("%.17g %d\n", m, e);
    return 0;
}
