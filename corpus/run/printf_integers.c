// printf: integer conversions with flags, widths, precisions, lengths.
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int v[] = {0, 1, -1, 42, -42, INT_MAX, INT_MIN};
    for (int i = 0; i < 7; i++) {
        int n = v[i];
        printf("[%d][%5d][%-5d][%05d][%+d][% d][%.3d][%8.3d][%-8.3d][%+08d][%+.0d]\n", n, n, n, n, n, n, n, n, n, n, n);
        printf("[%u][%x][%X][%o][%#x][%#X][%#o][%08x][%#010x][%-#10x][%.5x][%#.5o]\n", n, n, n, n, n, n, n, n, n, n, n, n);
    }
    printf("[%.0d][%5.0d][%.0x][%#.0o]\n", 0, 0, 0, 0);
    printf("[%*d][%-*d][%.*d][%*.*d][%*d]\n", 6, 1, 6, 2, 4, 3, 7, 3, 4, -6, 5);
    printf("%hhd %hhu %hd %hu %ld %lu\n", 300, 300, 70000, 70000, LONG_MIN, ULONG_MAX);
    printf("%lld %llu %llx %zu %zd %td %jd\n", LLONG_MIN, ULLONG_MAX, -1LL, sizeof(int), (ptrdiff_t)-3, (ptrdiff_t)9, (intmax_t)-7);
    printf("%i %5i%%|%-3i|\n", 3, -3, 1);
    printf("%c%c%3c%-3c|\n", 'a', 98, 'c', 'd');
    int n = printf("%d\n", 12345);
    printf("%d\n", n);
    return 0;
}
