// expect: SAFE
// args: --allow-missing
// A function without a body returns any value of its type; one that is declared not to return does not.
#include <assert.h>

_Bool some_truth(void);
void give_up(void) __attribute__((noreturn));
_Noreturn void stop(int status);

int main(void)
{
    _Bool b = some_truth();
    int n = 1;
    assert(b == 0 || b == 1);
    assert(some_truth() <= 1);
    if (b) {
        n = 0;
        give_up();
    }
    assert(n == 1);
    if (some_truth())
        stop(2);
    else
        n = 2;
    assert(n == 2);
    return 0;
}
