// expect: SAFE
// The argument of pthread_exit, also from a nested call, is what join gets.
#include <assert.h>
#include <pthread.h>

int answer = 42;

void leave(void)
{
    pthread_exit(&answer);
}

void *worker(void *arg)
{
    leave();
    assert(0);
    return 0;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, &result);
    assert(*(int *)result == 42);
    return 0;
}
