// expect: UNSAFE assert 14
// args: --allow-missing
// A result that is only printed influences nothing.
#include <assert.h>
#include <stdio.h>

int device(void);

int main(void)
{
    int value = device();
    printf("%d\n", value);
    int one = 1;
    assert(one == 2);
}
