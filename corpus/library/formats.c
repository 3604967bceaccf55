// output: formats.out
// Formatted output to memory and scanning of strings: the output is what gcc and glibc give.
#define _GNU_SOURCE
#include <stddef.h>
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <stdarg.h>
#include <string.h>
#include <limits.h>
#include <stdint.h>
static void show(const char *f, ...) { va_list l; va_start(l, f); vprintf(f, l); va_end(l); va_start(l, f); vfprintf(stdout, f, l); va_end(l); }

int main(void)
{
    char b[128], c[16];
    int n;
#define T(...) n = snprintf(b, sizeof b, __VA_ARGS__); printf("[%s] %d\n", b, n); n = snprintf(c, 5, __VA_ARGS__); printf("[%s] %d\n", c, n);
    T("%d", 0) T("%d %i", -5, INT_MIN) T("%5d|%-5d|%05d|%+d|% d", 42, 42, 42, 42, 42) T("%.3d %.0d %8.3d", 7, 0, -7)
    T("%u %x %X %o", 4000000000u, 0xbeefu, 0xBEEFu, 8u) T("%#x %#o %#X %#x", 255u, 8u, 255u, 0u) T("%#o %#.3o", 0u, 8u)
    T("%ld %lld %lu", -1L, LLONG_MIN, 5UL) T("%hd %hhd %hu %hhu", 70000, 300, 70000, 300) T("%zu %jd %td", (size_t)9, (intmax_t)-9, (ptrdiff_t)3)
    T("%s|%10s|%-10s|%.2s", "abc", "abc", "abc", "abc") T("%c%c|%3c|%-3c|", 'x', 'y', 'z', 'w') T("%%|%5%|") T("%*d|%-*d|%*d", 4, 1, 4, 2, -4, 3) T("%.*s|%.*d", 1, "abc", 3, 5)
    T("%p", (void *)0) T("%.*s", -1, "abc") T("%08.3d|%-08d|", 5, 6) T("%.70d", 3) T("%+.70d", 3) T("%75.70d|", -3) T("%-75.70d|", 3) T("") T("%s", "a long string that does not fit")
    n = snprintf(0, 0, "%d", 12345);
    printf("%d\n", n);
    char *p;
    n = asprintf(&p, "%s-%d", "x", 3);
    printf("%s %d\n", p, n);
    free(p);
    sprintf(b, "%d%n%s", 123, &n, "x");
    printf("%s %d\n", b, n);
    show("%d %s\n", 4, "va");
    int i, j, k;
    unsigned u;
    long l;
    long long ll;
    short h;
    signed char hh;
    char s[32], t[32], ch;
    n = sscanf("12 -34 0x1f", "%d %d %x", &i, &j, &u);
    printf("%d %d %d %u\n", n, i, j, u);
    n = sscanf("077 0x10 9", "%i%i%i", &i, &j, &k);
    printf("%d %d %d %d\n", n, i, j, k);
    n = sscanf("  hello world", "%s %s", s, t);
    printf("%d %s %s\n", n, s, t);
    n = sscanf("abc123", "%[a-z]%d", s, &i);
    printf("%d %s %d\n", n, s, i);
    n = sscanf("key=value;", "%[^=]=%[^;]", s, t);
    printf("%d %s %s\n", n, s, t);
    n = sscanf("12345", "%2d%2d%n", &i, &j, &k);
    printf("%d %d %d %d\n", n, i, j, k);
    n = sscanf("x", "%d", &i);
    printf("%d\n", n);
    n = sscanf("", "%d", &i);
    printf("%d\n", n);
    n = sscanf("5", "%d %d", &i, &j);
    printf("%d %d\n", n, i);
    n = sscanf("1,2", "%d,%d", &i, &j);
    printf("%d %d %d\n", n, i, j);
    n = sscanf("1;2", "%d,%d", &i, &j);
    printf("%d %d\n", n, i);
    n = sscanf("9999999999 -9 70000 300", "%lld %ld %hd %hhd", &ll, &l, &h, &hh);
    printf("%d %lld %ld %d %d\n", n, ll, l, h, hh);
    n = sscanf("a b", "%c%c", &ch, s);
    printf("%d %c [%c]\n", n, ch, s[0]);
    n = sscanf("skip 7", "%*s %d", &i);
    printf("%d %d\n", n, i);
    n = sscanf("100%", "%d%%", &i);
    printf("%d %d\n", n, i);
    n = sscanf("]x", "%[]]%c", s, &ch);
    printf("%d %s %c\n", n, s, ch);
    n = sscanf("abc", "%[0-9]", s);
    printf("%d\n", n);
    n = sscanf("- 5", "%d", &i);
    printf("%d\n", n);
    return 0;
}
