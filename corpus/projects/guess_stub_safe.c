// expect: SAFE
// args: --stub device=0..2
// quiet
// None of the values that the user gives is wrong.
#include <assert.h>

int device(void);

int main(void)
{
    assert(device() != 3);
}
