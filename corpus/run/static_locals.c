// Static locals keep their value; each function has its own.
#include <stdio.h>

static int counter(void) {
    static int n = 10;
    return n++;
}
static int other(void) {
    static int n;
    {
        static int n = 5;
        n += 2;
        if (n > 8)
            return -n;
    }
    return ++n;
}
static const char *cycle(void) {
    static const char *const names[] = {"a", "b", "c"};
    static unsigned next;
    return names[next++ % 3];
}
static int *leak(void) {
    static int cell[2] = {1, 2};
    return cell;
}

int main(void) {
    counter();
    printf("%d\n", counter() + counter());
    printf("%d\n", other());
    printf("%d\n", other());
    for (int i = 0; i < 5; i++)
        printf("%s", cycle());
    leak()[1] += 40;
    printf("\n%d\n", leak()[1] + *leak());
    return 0;
}
