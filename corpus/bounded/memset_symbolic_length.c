// expect: UNKNOWN unsupported
// args: --property assert,lock,memory,division
// engines: order refine clock
// FIXME: it is UNSAFE memory, since n can be 5; blocks need a constant length.
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

char buffer[4];

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n <= 5);
    memset(buffer, 1, n);
    return 0;
}
