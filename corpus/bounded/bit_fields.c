// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// Bit-fields keep what fits into them, and their signs.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

struct flags {
    unsigned a : 3;
    int b : 5;
    unsigned c : 8;
};

struct flags f;

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    f.a = x;
    f.b = x;
    f.c = 200;
    assert(f.a == (x & 7));
    assert(f.b >= -16 && f.b <= 15);
    assert(f.c == 200);
    assert(f.b != 16);
    return 0;
}
