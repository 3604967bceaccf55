// expect: UNSAFE assert 8
// main does not wait, but the thread may still come to its assertion before main returns.
#include <assert.h>
#include <pthread.h>

void *worker(void *arg)
{
    assert(0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    return 0;
}
