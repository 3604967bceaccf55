// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// A local that was never written has one value.
#include <assert.h>

int main(void)
{
    int x;
    int y = x;
    assert(x == y);
    return 0;
}
