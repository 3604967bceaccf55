// expect: UNSAFE assert 22
// args: --property assert,lock,memory,division
// engines: order refine clock
// Recursion that is wrong three deep.
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
    assert(down(n) == n % 3);
    return 0;
}
