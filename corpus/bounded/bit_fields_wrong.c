// expect: UNSAFE assert 26
// args: --property assert,lock,memory,division
// engines: order refine clock
// A signed bit-field of five bits can be -16.
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
    assert(f.b != -16);
    return 0;
}
