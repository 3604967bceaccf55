// expect: UNSAFE assert 26
// args: --property assert,lock,memory,division
// engines: order refine clock
// The low half of a union wraps.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

union bits {
    unsigned whole;
    unsigned short half[2];
    unsigned char byte[4];
};

int main(void)
{
    union bits u;
    unsigned x = __VERIFIER_nondet_uint();
    u.whole = x;
    assert(u.half[1] == x >> 16);
    assert(u.byte[0] == (x & 0xff));
    u.byte[3] = 0;
    assert(u.whole == (x & 0xffffff));
    u.half[0]++;
    assert(u.byte[2] == (x >> 16 & 0xff));
    assert(u.half[0] != 0);
    return 0;
}
