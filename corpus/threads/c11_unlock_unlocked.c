// expect: UNSAFE lock 9
// C11 knows no mutex that may be unlocked by who does not hold it.
#include <threads.h>

int main(void)
{
    mtx_t m;
    mtx_init(&m, mtx_recursive);
    mtx_unlock(&m);
    return 0;
}
