// expect: UNSAFE assert 17
// args: --entry clamp
// A function with arbitrary arguments, numbers and what pointers point to, instead of `main`.
#include <assert.h>

struct range {
    int low, high;
    struct range *next;
};

int clamp(const struct range *r, int x)
{
    if (x < r->low)
        x = r->low;
    if (x > r->high)
        x = r->high;
    assert(r->low <= x && x <= r->high);
    return x;
}
