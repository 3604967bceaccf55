// expect: UNSAFE assert 10
// args: --stub device=0..3
// The user says what the function may return.
#include <assert.h>

int device(void);

int main(void)
{
    assert(device() != 3);
}
