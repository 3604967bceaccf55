// expect: UNSAFE assert 19
// args: --property assert,lock,memory,division
// engines: order refine clock
// A call through a table with an input as the index.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

int inc(int x) { return x + 1; }
int dec(int x) { return x - 1; }
int twice(int x) { return x * 2; }

int (*const table[3])(int) = {inc, dec, twice};

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint() % 3;
    int x = table[i](5);
    assert(x == 6 || x == 4);
    return 0;
}
