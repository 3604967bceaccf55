// output: functions.out
// Functions of string.h, ctype.h, stdlib.h and math.h: the output is what gcc and glibc give.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <limits.h>
#include <inttypes.h>
static int sgn(int x) { return (x > 0) - (x < 0); }
static int cmp(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static int cmpl(const void *a, const void *b) { long x = *(const long *)a, y = *(const long *)b; return (x > y) - (x < y); }
static int cmps(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
struct s3 { char a, b, c; };
static int cmp3(const void *a, const void *b) { return ((struct s3 *)a)->b - ((struct s3 *)b)->b; }
static int cmpr(const void *a, const void *b, void *k) { return *(int *)k * cmp(a, b); }
static void bye(void) { printf("bye\n"); }
static void bye2(void) { printf("bye2\n"); }

int main(void)
{
    atexit(bye);
    atexit(bye2);
    char b[64], *p, *q;
    printf("%lu %lu %lu\n", (unsigned long)strlen("hello"), (unsigned long)strnlen("hello", 3), (unsigned long)strnlen("hi", 9));
    strcpy(b, "abc");
    strcat(b, "def");
    printf("%s\n", b);
    strncat(b, "ghijk", 2);
    printf("%s\n", b);
    memset(b, 'x', 63);
    b[63] = 0;
    strncpy(b, "abc", 6);
    printf("%d %d %d %c\n", b[3], b[4], b[5], b[6]);
    p = stpcpy(b, "foo");
    printf("%d\n", (int)(p - b));
    printf("%d %d %d %d\n", sgn(strcmp("a", "b")), sgn(strcmp("ab", "a")), sgn(strcmp("\xff", "a")), strcmp("q", "q"));
    printf("%d %d\n", sgn(strncmp("abc", "abd", 2)), sgn(strncmp("abc", "abd", 3)));
    printf("%d %d\n", sgn(strcasecmp("HeLLo", "hEllO")), sgn(strncasecmp("HeLLx", "hElly", 5)));
    printf("%s %s %d %d\n", strchr("hello", 'l'), strrchr("hello", 'l'), strchr("a", 'z') == 0, (int)(strchr("abc", 0) - 0 != 0));
    printf("%s %d %s\n", strstr("haystack", "st"), strstr("hay", "needle") == 0, strstr("abc", ""));
    printf("%d %d %s %d\n", (int)strspn("aabbc", "ab"), (int)strcspn("aabbc", "c"), strpbrk("hello", "xl"), strpbrk("abc", "x") == 0);
    strcpy(b, "a,b;;c");
    for (p = strtok(b, ",;"); p; p = strtok(0, ",;")) printf("[%s]", p);
    printf("\n");
    strcpy(b, "--x-y");
    for (p = strtok_r(b, "-", &q); p; p = strtok_r(0, "-", &q)) printf("[%s]", p);
    printf("\n");
    strcpy(b, "a,,b");
    q = b;
    while ((p = strsep(&q, ","))) printf("[%s]", p);
    printf("\n");
    p = strdup("dup");
    q = strndup("longer", 3);
    printf("%s %s\n", p, q);
    free(p);
    free(q);
    printf("%d %d %d\n", sgn(memcmp("abc", "abd", 3)), memcmp("abc", "abd", 2), (int)((char *)memchr("hello", 'l', 5) != 0));
    printf("%s\n", (char *)memrchr("hello", 'l', 5));
    printf("%s\n", (char *)memmem("abcdef", 6, "cd", 2));
    for (int i = -1; i < 256; i++) { int v = !!isalnum(i) | !!isalpha(i) << 1 | !!isdigit(i) << 2 | !!isxdigit(i) << 3 | !!isspace(i) << 4 | !!isblank(i) << 5 | !!isprint(i) << 6 | !!isgraph(i) << 7 | !!ispunct(i) << 8 | !!iscntrl(i) << 9 | !!isupper(i) << 10 | !!islower(i) << 11;
    int w = !!(isalnum)(i) | !!(isalpha)(i) << 1 | !!(isdigit)(i) << 2 | !!(isxdigit)(i) << 3 | !!(isspace)(i) << 4 | !!(isblank)(i) << 5 | !!(isprint)(i) << 6 | !!(isgraph)(i) << 7 | !!(ispunct)(i) << 8 | !!(iscntrl)(i) << 9 | !!(isupper)(i) << 10 | !!(islower)(i) << 11;
    printf("%x %x %d %d,", v, w, toupper(i), tolower(i));
    }
    printf("\n");
    printf("%d %ld %lld\n", atoi(" -42x"), atol("123"), atoll("99999999999"));
    const char *nums[] = {"0x1F", "077", "  +12", "-", "", "zz", "99999999999999999999", "-99999999999999999999", "0x", "08", "-1", "18446744073709551615", "18446744073709551616", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "2147483648"};
    for (unsigned i = 0; i < sizeof nums / sizeof *nums; i++) for (int base = 0; base <= 36; base += base == 0 ? 8 : base == 8 ? 2 : base == 10 ? 6 : 20) {
    char *e;
    errno = 0;
    long a = strtol(nums[i], &e, base);
    int ea = errno;
    errno = 0;
    unsigned long u = strtoul(nums[i], 0, base);
    int eu = errno;
    errno = 0;
    long long c = strtoll(nums[i], 0, base);
    unsigned long long d = strtoull(nums[i], 0, base);
    printf("%ld %d %d %lu %d %lld %llu\n", a, ea, (int)(e - nums[i]), u, eu, c, d);
    }
    printf("%d %ld %lld %d %d %ld %lld\n", abs(-3), labs(-4L), llabs(-5LL), div(-7, 2).quot, div(-7, 2).rem, ldiv(9, 4).rem, lldiv(-9, 4).quot);
    int v[] = {5, 3, 9, -1, 3};
    qsort(v, 5, sizeof *v, cmp);
    for (int i = 0; i < 5; i++) printf("%d ", v[i]);
    int k = -1;
    qsort_r(v, 5, sizeof *v, cmpr, &k);
    for (int i = 0; i < 5; i++) printf("%d ", v[i]);
    qsort(v, 5, sizeof *v, cmp);
    int key = 5;
    printf("%d ", (int)((int *)bsearch(&key, v, 5, sizeof *v, cmp) - v));
    key = 4;
    printf("%d\n", bsearch(&key, v, 5, sizeof *v, cmp) == 0);
    long lv[] = {5, -3, 9};
    qsort(lv, 3, sizeof *lv, cmpl);
    printf("%ld %ld %ld\n", lv[0], lv[1], lv[2]);
    char *sv[] = {"b", "c", "a"};
    qsort(sv, 3, sizeof *sv, cmps);
    printf("%s %s %s\n", sv[0], sv[1], sv[2]);
    struct s3 tv[] = {{1,3,1},{2,1,2},{3,2,3}};
    qsort(tv, 3, sizeof *tv, cmp3);
    printf("%d %d %d\n", tv[0].a, tv[1].a, tv[2].c);
    double ds[] = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.49999999999999994, 1e300, -1e300, 4503599627370495.5, -4503599627370495.5, 3.7, -3.2, INFINITY, -INFINITY};
    for (unsigned i = 0; i < sizeof ds / sizeof *ds; i++) { double w, x = ds[i], f = modf(x, &w); double r[] = {floor(x), ceil(x), trunc(x), round(x), rint(x), f, w, floorf(x), copysign(2, x), fdim(x, 1)}; for (int j = 0; j < 10; j++) { unsigned long long bits; memcpy(&bits, &r[j], 8); printf("%llx ", bits); } printf("%ld\n", i > 12 && i < 15 ? lround(x) : 0); }
    int *m = malloc(8);
    m[0] = 1;
    m[1] = 2;
    m = realloc(m, 16);
    m[3] = 4;
    printf("%d %d\n", m[0], m[1]);
    m = reallocarray(m, 1, 4);
    printf("%d\n", m[0]);
    free(m);
    void *al;
    printf("%d %d\n", posix_memalign(&al, 16, 8), posix_memalign(&al, 3, 8));
    void *(*fn)(size_t) = malloc;
    void (*fr)(void *) = free;
    int *z = fn(4);
    *z = 7;
    printf("%d\n", *z);
    fr(z);
    printf("%d\n", getenv("NOSUCHVAR") == 0);
    exit(3);
}
