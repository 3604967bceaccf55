// expect: SAFE
// args: --property assert,lock,memory,division --unwind 1 --unwindset main.0:6
// engines: order refine clock
// One loop has a bound of its own.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 6, i;
    for (i = 0; i < n; i++)
        ;
    assert(i == n);
    return 0;
}
