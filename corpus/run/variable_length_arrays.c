// Arrays of variable length, and pointers to them.
#include <stdio.h>

static int fill(int n, int m, int a[n][m]) {
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = k++;
    return sizeof a[0];
}
static int trace(int n, int (*a)[n]) {
    int t = 0;
    for (int i = 0; i < n; i++)
        t += a[i][i];
    return t;
}

int main(void) {
    for (int n = 1; n < 5; n++) {
        int a[n][n];
        int row = fill(n, n, a);
        printf("%d %zu %d\n", trace(n, a), sizeof a, row);
    }
    int n = 3;
    typedef int line[n];
    n = 10;
    line l;
    l[0] = 1;
    printf("%zu %zu\n", sizeof l, sizeof(char[n]));
    double d[n + 1];
    d[n] = 2.5;
    double *p = d + n;
    printf("%g %td\n", *p, &d[n] - d);
    int m = 2;
    int b[m++][4];
    printf("%d %zu\n", m, sizeof b);
    return 0;
}
