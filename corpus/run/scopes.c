// Names in inner scopes hide outer ones; lifetimes of loop variables.
#include <stdio.h>

int x = 1;
enum { A = 5 };

int main(void) {
    printf("%d ", x);
    int x = 2;
    {
        printf("%d ", x);
        int x = 3;
        for (int x = 4; x < 6; x++) {
            printf("%d ", x);
            int x = 10;
            x++;
            printf("%d ", x);
        }
        {
            extern int x;
            printf("%d ", x++);
        }
        printf("%d ", x);
    }
    printf("%d\n", x);
    enum { A = 7, B };
    struct A {
        int A;
    } a = {A};
    printf("%d %d\n", a.A, B);
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int fresh = i;
        int *p = &fresh;
        *p += 10;
        sum += fresh;
    }
    printf("%d\n", sum);
    return 0;
}
