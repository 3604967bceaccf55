// expect: SAFE
// args: --property assert,lock,memory,division --unwind 1
// engines: order refine clock
// A loop that constants decide is unrolled completely at bound 1.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), y = 0;
    for (int i = 0; i < 100; i++)
        y += x;
    assert(y == 100 * x);
    return 0;
}
