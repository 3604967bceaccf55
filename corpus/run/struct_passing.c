// Structs by value: arguments, results, copies, arrays inside.
#include <stdio.h>

struct small {
    char c;
    short s;
};
struct big {
    int a[10];
    struct small s;
    double d;
};

static struct small bump(struct small s) {
    s.c++;
    s.s *= 2;
    return s;
}
static struct big fill(struct big b, int n) {
    for (int i = 0; i < 10; i++)
        b.a[i] += n * i;
    b.s = bump(b.s);
    b.d /= 2;
    return b;
}
static int total(const struct big *b) {
    int t = 0;
    for (int i = 0; i < 10; i++)
        t += b->a[i];
    return t;
}

int main(void) {
    struct big x = {.s = {'a', 100}, .d = 3}, y;
    y = fill(x, 2);
    printf("%d %d %c %d %g\n", total(&x), total(&y), y.s.c, y.s.s, y.d);
    printf("%d %c\n", fill(y, 1).a[9], bump(bump(x.s)).c);
    struct big z = fill(fill(x, 1), 1), *p = &z;
    printf("%d %d\n", total(p), p->s.s);
    struct big arr[3] = {x, y, z};
    arr[0] = arr[2];
    arr[2].a[0] = 99;
    printf("%d %d\n", total(&arr[0]), total(arr + 2));
    struct {
    } empty;
    printf("%zu\n", sizeof empty);
    return 0;
}
