// expect: UNSAFE assert 12
// stderr: files disagree about `half`
// Files that disagree about a function are linked all the same, as a linker would; the user is told.
#include <assert.h>

long half(long);
extern int limit[];

int main(void)
{
    assert(half(8) == 4);
    assert(limit[1] == 3);
}
