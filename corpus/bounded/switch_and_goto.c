// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// A loop of gotos around a switch, decided by an input.
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char s = __VERIFIER_nondet_uchar() % 4;
    int steps = 0;
again:
    switch (s) {
    case 3:
        s = 1;
        steps++;
        goto again;
    case 2:
        s = 3;
        steps++;
        goto again;
    case 1:
        s = 0;
        steps++;
        goto again;
    default:
        break;
    }
    assert(s == 0 && steps <= 3);
    return 0;
}
