// expect: UNSAFE assert 8
// Nothing can be noticed by others before the violation, and nothing is possible behind it.
#include <assert.h>

int main(void)
{
    int x = 1;
    assert(x == 2);
    return 0;
}
