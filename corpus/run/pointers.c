// Pointer arithmetic, comparison, differences, pointers to pointers and arrays.
#include <stdint.h>
#include <stdio.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    int a[10], *p = a, *end = a + 10;
    for (; p != end; ++p)
        *p = (int)(p - a) * 3;
    printf("%d %td %d %d\n", p[-1], end - a, a < end, &a[3] == a + 3);
    printf("%d %d\n", 2 [a], *(4 + a));
    int **pp = &p;
    *pp = a + 5;
    **pp = 100;
    printf("%d %d\n", a[5], *--*pp);
    int(*row)[5] = (int(*)[5])a;
    printf("%d %d\n", row[1][0], (*(row + 1))[4]);
    char *c = (char *)&a[1];
    printf("%d %d\n", c[0], (int)sizeof *c);
    uintptr_t u = (uintptr_t)a;
    u += 2 * sizeof(int);
    printf("%d %d\n", *(int *)u, (int)((uintptr_t)&a[7] - (uintptr_t)a));
    struct node n3 = {3, 0}, n2 = {2, &n3}, n1 = {1, &n2}, *list = &n1, **link;
    for (link = &list; *link; link = &(*link)->next)
        if ((*link)->value == 2) {
            *link = (*link)->next;
            break;
        }
    for (struct node *n = list; n; n = n->next)
        printf("%d ", n->value);
    const char *words[] = {"one", "two", 0}, **w = words;
    while (*w)
        printf("%s ", *w++ + 1);
    puts("");
    return 0;
}
