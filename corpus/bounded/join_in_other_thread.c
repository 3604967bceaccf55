// expect: SAFE
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// A thread is joined by one that did not start it.
#include <assert.h>
#include <pthread.h>

int x;
pthread_t t;

void *worker(void *arg)
{
    x = 1;
    return 0;
}

void *joiner(void *arg)
{
    pthread_join(t, 0);
    assert(x == 1);
    return 0;
}

int main(void)
{
    pthread_t u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, joiner, 0);
    pthread_join(u, 0);
    assert(x == 1);
    return 0;
}
