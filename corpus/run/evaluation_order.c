// What C does order: &&, ||, ?:, the comma, full expressions.
#include <stdio.h>

static int say(int n) {
    printf("%d ", n);
    return n;
}

int main(void) {
    int r = say(0) && say(1);
    r += say(1) || say(2);
    r += say(0) ? say(3) : say(4);
    r += (say(5), say(6));
    printf("= %d\n", r);
    r = (say(1) && say(0)) || (say(2) && !say(0));
    printf("= %d\n", r);
    int i = 0, a[4] = {0};
    a[i++] = 5;
    a[i] = i + 1;
    printf("%d %d %d\n", a[0], a[1], i);
    int x = 1 ? 2 : say(9);
    x = x > 1 ? x > 2 ? 10 : 20 : 30;
    printf("%d %d\n", x, say(1) ?: say(7));
    while (i++, i < 4)
        printf("%d,", i);
    puts("");
    return 0;
}
