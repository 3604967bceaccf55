// while, do, for with break and continue, nested; empty parts.
#include <stdio.h>

int main(void) {
    int n = 0, i = 10;
    while (i --> 0) {
        if (i % 2)
            continue;
        if (i == 2)
            break;
        n += i;
    }
    printf("%d %d\n", n, i);
    do {
        i += 3;
        if (i == 5)
            continue;
        n++;
    } while (i < 10);
    printf("%d %d\n", n, i);
    for (;;) {
        if (++n > 30)
            break;
    }
    for (int a = 0, b = 10; a < b; a++, b -= 2)
        printf("%d,%d ", a, b);
    unsigned collatz = 27, steps = 0;
    for (; collatz != 1; steps++)
        collatz = collatz % 2 ? 3 * collatz + 1 : collatz / 2;
    printf("%u\n", steps);
    do
        n--;
    while (0);
    for (i = 0; i < 3; i++)
        ;
    printf("%d %d\n", n, i);
    return 0;
}
