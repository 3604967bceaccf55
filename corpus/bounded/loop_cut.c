// expect: SAFE WITHIN unwind=2
// args: --property assert,lock,memory,division --unwind 2
// engines: order refine clock
// A loop that is cut off says so.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), i;
    for (i = 0; i < n; i++)
        ;
    assert(i == n);
    return 0;
}
