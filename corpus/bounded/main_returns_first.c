// expect: UNSAFE assert 12
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// A thread may fail before main returns.
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *arg)
{
    assert(x == 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    x = 1;
    return 0;
}
