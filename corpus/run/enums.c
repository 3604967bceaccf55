// Enumerations: values, arithmetic, negative and large enumerators.
#include <stdio.h>

enum colour { RED, GREEN = 5, BLUE, ALIAS = RED + 1 };
enum wide { SMALL = -1, LARGE = 0x7fffffff };
enum positive { P = 0x80000000u };

static const char *const names[] = {[RED] = "red", [GREEN] = "green", [BLUE] = "blue"};

int main(void) {
    enum colour c = BLUE;
    printf("%d %d %s %d\n", c, ALIAS, names[c], names[2] == 0);
    c = c - 1;
    printf("%s %d\n", names[c], c == GREEN);
    enum wide w = SMALL;
    printf("%d %d\n", w < 0, w < LARGE);
    enum positive p = P;
    printf("%d %zu %u\n", p > 0, sizeof p, (unsigned)p);
    for (enum colour k = RED; k <= BLUE; k++)
        if (names[k])
            printf("%d ", k);
    puts("");
    switch (c) {
    case GREEN: puts("switch"); break;
    case RED:
    case BLUE: puts("no");
    }
    return 0;
}
