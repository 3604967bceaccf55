// expect: SAFE
// args: --property assert,lock,memory,division --unwind 1
// engines: order refine clock
// Recursion that constants decide needs no bound.
#include <assert.h>

int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(void)
{
    assert(fib(10) == 55);
    return 0;
}
