// expect: SAFE
// The routine runs once, and has run when pthread_once returns, in every thread.
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int calls;

void init(void)
{
    calls++;
}

void *worker(void *arg)
{
    assert(pthread_once(&once, init) == 0);
    assert(calls == 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
