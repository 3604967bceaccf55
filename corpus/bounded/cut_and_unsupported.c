// expect: UNKNOWN unsupported
// args: --unwind 1
// engines: order refine clock
// A loop is cut off, and within the bound something is met that is left out: that is no SAFE WITHIN.
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);

char text[8];

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() & 7;
    if (n > 3)
        memset(text, 1, n);
    while (__VERIFIER_nondet_uint())
        text[0] = 0;
    return 0;
}
