// Floating-point numbers that snprintf writes.
#include <stdio.h>
#include <string.h>

static void show(const char *format, double x)
{
    char text[64];
    int length = snprintf(text, sizeof text, format, x);
    printf("%s|%d\n", text, length);
}

int main(void)
{
    static const double values[] = { 0.0, -0.0, 1.0, -1.5, 0.5, 2.5, 0.125, 0.1, 1.0 / 3, 3.14159265358979, 9.995, 99.95,
                                     999999.5, 1234567.0, 123456789.25, 1e10, 1e15, 123456789012345678.0, 1e22, 1e30, 0.001,
                                     0.00012345, 1e-5, 0.0000999995, 1e-8, 2.5e-10, 100.0, 1e5, 1e6, 1.005, 0.045 };
    static const char *const formats[] = { "%f", "%.0f", "%.2f", "%10.3f", "%-12.1f", "%+.3f", "% .1f", "%08.2f", "%#.0f",
                                           "%e", "%.0e", "%.3E", "%12.2e", "%g", "%.3g", "%.10g", "%G", "%.0g", "%+012.4g",
                                           "%.15g", "%.17f" };
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
        for (unsigned v = 0; v < sizeof values / sizeof *values; v++)
            if (strcmp(formats[f], "%.15g") || values[v] >= 1e-5 || values[v] == 0)
                show(formats[f], values[v]);
    show("%#g", 1);
    show("%#.3g", 0.5);
    double zero = 0;
    show("%f", 1 / zero);
    show("%08.1f", -1 / zero);
    show("%G", 1 / zero);
    char small[6];
    int length = snprintf(small, sizeof small, "%s=%.3f", "pi", 3.14159);
    printf("%s|%d\n", small, length);
    char text[64];
    sprintf(text, "%d %.1f %s %Lf %c", 7, 2.25, "end", 1.5L, 'x');
    puts(text);
    return 0;
}
