// Calls through pointers, tables of functions, functions that return functions.
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
typedef int (*op)(int, int);
static op pick(char c) { return c == '+' ? add : sub; }
static int (*which(int n))(int, int) { return n ? &add : &sub; }
static int apply(int f(int, int), int n) { return f(n, n + 1); }
struct ops {
    const char *name;
    op f;
};
static struct ops table[] = {{"add", add}, {"sub", sub}, {"none", 0}};

int main(void) {
    printf("%d %d\n", pick('+')(3, 4), (*pick('-'))(3, 4));
    printf("%d %d\n", which(1)(1, 2), (**which(0))(1, 2));
    for (struct ops *o = table; o->f; o++)
        printf("%s %d %d\n", o->name, o->f(10, 3), apply(o->f, 5));
    op a[2] = {add, sub};
    int n = 0;
    for (int i = 0; i < 6; i++)
        n = a[i % 2](n, i * i);
    printf("%d %d %d\n", n, a[0] == add, a[1] == add);
    op saved = table[0].f;
    table[0].f = table[1].f;
    table[1].f = saved;
    printf("%d\n", table[0].f(1, 1));
    return 0;
}
