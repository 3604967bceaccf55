// expect: UNSAFE assert 10
// args: --property assert,lock,memory,division
// engines: order refine clock
// A local that was never written can be anything.
#include <assert.h>

int main(void)
{
    int x;
    assert(x != 42);
    return 0;
}
