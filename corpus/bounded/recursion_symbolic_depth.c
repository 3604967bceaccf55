// expect: SAFE WITHIN unwind=3
// args: --property assert,lock,memory,division --unwind 3
// engines: order refine clock
// Recursion as deep as an input says.
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
    unsigned n = __VERIFIER_nondet_uint();
    assert(down(n) == depth);
    return 0;
}
