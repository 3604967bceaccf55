// Qualifiers do not change values.
#include <stdio.h>

static volatile int counter;
static const int table[] = {3, 1, 4, 1, 5};
struct reg {
    volatile unsigned status : 4, control : 4;
    const char *volatile name;
};

int main(void) {
    for (int i = 0; i < 5; i++)
        counter += table[i];
    volatile int *p = &counter;
    (*p)++;
    ++*p;
    struct reg r = {3, 9, "reg"};
    r.status = r.control + 9;
    r.name = r.name + 1;
    const volatile double d = counter / 2.0;
    printf("%d %u %s %g\n", counter, r.status, r.name, d);
    int x = 5;
    const int *q = &x;
    x = 6;
    printf("%d\n", *q);
    return 0;
}
