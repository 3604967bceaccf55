// qsort and bsearch with comparison functions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void) {
    int a[] = {5, -3, 9, 0, 7, 2, 2, 100, -50};
    qsort(a, 9, sizeof *a, by_value);
    for (int i = 0; i < 9; i++)
        printf("%d ", a[i]);
    int key = 7;
    int *found = bsearch(&key, a, 9, sizeof *a, by_value);
    printf("at %td\n", found - a);
    key = 8;
    printf("%d\n", bsearch(&key, a, 9, sizeof *a, by_value) == NULL);
    const char *w[] = {"pear", "apple", "fig"};
    qsort(w, 3, sizeof *w, by_text);
    printf("%s %s %s\n", w[0], w[1], w[2]);
    return 0;
}
