// goto into and out of loops and blocks; computed goto.
#include <stdio.h>

static int interpret(const char *code) {
    static void *table[] = {&&inc, &&dec, &&twice, &&end};
    int acc = 1;
    goto *table[*code++ - '0'];
inc:
    acc++;
    goto *table[*code++ - '0'];
dec:
    acc--;
    goto *table[*code++ - '0'];
twice:
    acc *= 2;
    goto *table[*code++ - '0'];
end:
    return acc;
}

int main(void) {
    int i = 0, j = 0;
again:
    if (i < 3) {
        i++;
        goto again;
    }
    goto inside;
    for (; j < 5; j++) {
        printf("%d ", j);
    inside:
        printf("in%d ", j);
        if (j == 3)
            goto done;
    }
done:
    printf("%d %d\n", i, j);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            if (b == 2)
                goto next;
            if (a == 2)
                goto stop;
            printf("%d%d ", a, b);
            continue;
        next:
            printf("- ");
        }
stop:
    printf("\n%d\n", interpret("0220123"));
    return 0;
}
