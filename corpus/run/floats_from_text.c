// Floating-point numbers that are read from text.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static const char *const texts[] = { "0", "-0", "1", "  2.5x", "+.5", "5.", ".", "-", "", "1e3", "1e", "1e+", "1E-2y", "123456789",
                                         "3.14159265358979", "0.1", "1e22", "12345678901234.5", "-7.25e-3", "100000000000000000000",
                                         "0x1.8p3", "0x10", "inf", "-INFINITY", "infant", "1.5.5", "0.000001" };
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *end;
        double d = strtod(texts[i], &end);
        printf("%s: %.17g \"%s\"", texts[i], d, end);
        printf(" %.9g %.17g\n", strtof(texts[i], 0), atof(texts[i]));
    }
    char *end;
    double n = strtod("nan!", &end);
    printf("%d %s\n", n != n, end);
    float f;
    double d;
    long double l;
    int i, count = sscanf("2.5 -1e2 .75 12.5", "%f %lf %Lf %2lf%d", &f, &d, &l, &d, &i);
    printf("%d %g %g %Lg\n", count, f, d, l);
    count = sscanf("12.75,x", "%4lf%d", &d, &i);
    printf("%d %g %d\n", count, d, i);
    count = sscanf("abc", "%lf", &d);
    printf("%d\n", count);
    return 0;
}
