// expect: UNSAFE assert 24
// [SCAR Fig. 4(a), 5(a)] A write x0 before a read x1 in one thread, and the read sees another thread's write x2. Then x0 came
// before x2 (Rule 2): possible, so this fails.
#include <assert.h>
#include <pthread.h>

int x;

void *other(void *arg)
{
    x = 2; /* x2 */
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    x = 1;          /* x0 */
    int seen = x;   /* x1 */
    int again = x;
    pthread_join(t, 0);
    assert(again == seen || again == 2);
    assert(seen != 2);
    return 0;
}
