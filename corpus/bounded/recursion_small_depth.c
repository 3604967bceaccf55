// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// Recursion at most three deep: deepening ends.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

int depth;

int down(unsigned n)
{
    if (n == 0)
        return 0;
    depth++;
    return down(n - 1) + 1;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 4;
    assert(down(n) == depth);
    return 0;
}
