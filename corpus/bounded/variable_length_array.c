// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// An array as long as an input says.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 4 + 1;
    int a[n];
    for (unsigned i = 0; i < n; i++)
        a[i] = 2 * i;
    assert(a[n - 1] == 2 * (n - 1));
    assert(sizeof a == 4 * n);
    return 0;
}
