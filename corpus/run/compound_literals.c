// Compound literals: of structs, arrays, in loops, at file scope.
#include <stdio.h>

struct point {
    int x, y;
};
static struct point *origin = &(struct point){10, 20};
static int *numbers = (int[]){1, 2, 3};

static int manhattan(struct point p) { return p.x + p.y; }
static int sum(const int *a, int n) {
    int s = 0;
    while (n--)
        s += a[n];
    return s;
}

int main(void) {
    origin->x++;
    numbers[2] = 30;
    printf("%d %d\n", manhattan(*origin), sum(numbers, 3));
    for (int i = 0; i < 3; i++) {
        struct point *p = &(struct point){.y = i};
        p->x += 5;
        printf("%d ", manhattan(*p));
    }
    printf("%d\n", sum((int[]){4, 5, 6, [6] = 1}, 7));
    struct point q = (struct point){1, 2};
    q = (struct point){.x = q.y, .y = q.x};
    printf("%d %d %d\n", q.x, q.y, (int){42});
    const char *s = (char[]){"text"};
    printf("%s %zu\n", s, sizeof(char[]){"text"});
    return 0;
}
