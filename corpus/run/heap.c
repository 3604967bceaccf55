// malloc, calloc, realloc, free; a list and a growing array.
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
    char name[];
};

static struct node *push(struct node *list, int value) {
    struct node *n = malloc(sizeof *n + 4);
    n->next = list;
    n->value = value;
    for (int i = 0; i < 3; i++)
        n->name[i] = (char)('a' + value + i);
    n->name[3] = 0;
    return n;
}

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 5; i++)
        list = push(list, i);
    while (list) {
        struct node *next = list->next;
        printf("%d%s ", list->value, list->name);
        free(list);
        list = next;
    }
    int *a = NULL, cap = 0;
    for (int n = 0; n < 20; n++) {
        if (n >= cap)
            a = realloc(a, (cap = cap * 2 + 1) * sizeof *a);
        a[n] = n * n;
    }
    printf("%d %d %d\n", a[19], a[3], cap);
    free(a);
    long *z = calloc(4, sizeof *z);
    printf("%ld\n", z[0] | z[1] | z[2] | z[3]);
    free(z);
    free(NULL);
    return 0;
}
