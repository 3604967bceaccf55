// printf: floating conversions.
#include <stdio.h>

int main(void) {
    double v[] = {0, 1, -1, 0.5, 3.14159265358979, 1e10, 1.5e-7, 123456789.125, 1e100, 2.5, 0.1, 99999.95, 1e-5, 0.0001};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        double d = v[i];
        printf("[%f][%.0f][%.2f][%10.3f][%-10.1f][%+f][% .1f][%010.2f][%#.0f]\n", d, d, d, d, d, d, d, d, d);
        printf("[%e][%.0e][%.3E][%12.2e][%g][%.3g][%.10g][%G][%#g][%+g]\n", d, d, d, d, d, d, d, d, d, d);
    }
    double zero = 0;
    printf("%f %e %g %5.1f %F\n", 1 / zero, -1 / zero, 1 / zero, -1 / zero, 1 / zero);
    printf("%g %f\n", -0.0, -0.0);
    printf("%Lf %Lg %.1f\n", 1.25L, 1e20L, 0.25f);
    printf("%a %a\n", 1.0, 0.15625);
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
        printf("[%.0a][%.1a][%12.3A][%-12.2a][%+016.4a][%#.0a][%.15a]\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    printf("[%.0a][%.0a][%.1a][%.1a]\n", 1.5, 2.5, 1.03125, 1.09375);
    printf("[%05f][%-5e][%05G]\n", 1 / zero, 1 / zero, -1 / zero);
    printf("%.15g %.17g %.20f\n", 0.1, 0.1, 0.1);
    return 0;
}
