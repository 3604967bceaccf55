// expect: UNSAFE assert 16
// engines: order refine clock
// What is no number stays none, and an odd power of minus zero may be below zero.
#include <assert.h>
#include <math.h>

int main(void)
{
    double nan = __builtin_nan(""), infinite = __builtin_inf();
    double power = pow(2, nan), one = pow(1, nan), length = hypot(1, nan);
    assert(power != power);
    assert(one == 1);
    assert(length != length);
    assert(hypot(-infinite, nan) == infinite);
    double below = pow(-0.0, -3);
    assert(below >= 0);
    return 0;
}
