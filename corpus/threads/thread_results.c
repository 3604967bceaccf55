// expect: SAFE
// Results of return and of pthread_exit, also from a called function.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

void leave(void)
{
    pthread_exit((void *)2);
}

void *returns(void *arg)
{
    return (char *)arg + 1;
}

void *leaves(void *arg)
{
    leave();
    assert(0);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    void *result;
    assert(pthread_create(&a, NULL, returns, (void *)10) == 0);
    assert(pthread_create(&b, NULL, leaves, NULL) == 0);
    assert(pthread_join(a, &result) == 0 && result == (void *)11);
    assert(pthread_join(b, &result) == 0 && result == (void *)2);
    return 0;
}
