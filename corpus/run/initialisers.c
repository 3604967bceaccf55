// Designators, nesting without braces, implicit zeros, strings.
#include <stdio.h>

struct in {
    int a, b[3];
    char s[4];
};
struct out {
    struct in x, y[2];
    int z;
};

static struct out g = {1, {2, 3}, "ab", {{.b[1] = 4, 5, .a = 6}, {7, .s = "xyz"}}, .z = 8};
static int sparse[] = {[5] = 50, 60, [2] = 20, [0 ... 1] = -1};
static char text[] = "hi" " there", fixed[3] = "abc", *pointer = "pp";
static int *into = &sparse[5];

static void show(const struct in *s) {
    printf("%d [%d %d %d] %.4s\n", s->a, s->b[0], s->b[1], s->b[2], s->s);
}

int main(void) {
    show(&g.x);
    show(&g.y[0]);
    show(&g.y[1]);
    printf("%d\n", g.z);
    for (unsigned i = 0; i < sizeof sparse / sizeof *sparse; i++)
        printf("%d ", sparse[i]);
    printf("%zu %s %.3s %s %d\n", sizeof text, text, fixed, pointer, into[1]);
    struct out l = {.y[1].b = {1, 2, 3}, .y[0].s[2] = 'q', .x = g.x};
    show(&l.x);
    show(&l.y[1]);
    printf("%d %d %d\n", l.y[0].s[1], l.y[0].s[2], l.z);
    int m[2][3] = {{1}, {4, 5}}, n[][2] = {1, 2, 3};
    printf("%d %d %d %zu %d\n", m[0][1], m[1][1], m[1][2], sizeof n / sizeof *n, n[1][1]);
    int order[2] = {m[0][0]++, m[1][0]++};
    printf("%d %d %d\n", order[0], order[1], m[0][0] + m[1][0]);
    return 0;
}
