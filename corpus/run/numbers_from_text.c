// atoi, strtol and relatives.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *end;
    printf("%d %d %ld\n", atoi("42"), atoi("  -17x"), atol("2147483648"));
    printf("%ld", strtol("0x1fz", &end, 0));
    printf(" %s\n", end);
    printf("%ld %ld %ld\n", strtol("777", 0, 8), strtol("-101", 0, 2), strtol("zz", 0, 36));
    printf("%lu\n", strtoul("4294967295", 0, 10));
    printf("%d %ld\n", abs(-5), labs(-7L));
    return 0;
}
