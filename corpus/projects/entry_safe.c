// expect: SAFE
// args: --entry half
// quiet
// All arguments are considered; the program's own `main` is left alone.
#include <assert.h>

static int half(unsigned x)
{
    assert(x / 2 <= 0x7fffffff);
    return x / 2;
}

int main(void)
{
    assert(half(4) == 3);
}
