// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// A block whose size is an input.
#include <assert.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 4 + 1;
    int *p = malloc(n * sizeof *p);
    for (unsigned i = 0; i < n; i++)
        p[i] = i;
    assert(p[n - 1] == n - 1);
    p[n / 2] = 7;
    free(p);
    return 0;
}
