// The type of ?: is that of both arms together.
#include <stdio.h>

int main(void) {
    int one = 1;
    printf("%zu %zu %zu\n", sizeof(one ? 1 : 2L), sizeof(one ? (char)1 : (char)2), sizeof(one ? 1 : 2.0));
    printf("%d\n", (one ? -1 : 1u) > 0);
    printf("%.2f\n", (one ? 1 : 2.5) / 2);
    int x = 3;
    void *v = &x;
    int *p = one ? v : &x;
    printf("%d\n", *p);
    p = one ? 0 : &x;
    printf("%d\n", p == 0);
    struct pair {
        int a, b;
    } s = {1, 2}, t = {3, 4};
    printf("%d %d\n", (one ? s : t).b, (!one ? s : t).b);
    return 0;
}
