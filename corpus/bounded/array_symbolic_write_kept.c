// expect: UNSAFE assert 25
// args: --property assert,lock,memory,division
// engines: order refine clock
// What a thread wrote at a place that is no constant, it finds there, although another thread writes elsewhere.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

int a[4];

void *worker(void *arg)
{
    a[3] = 2;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    a[__VERIFIER_nondet_uint() % 4] = 5;
    int seen = a[0];
    pthread_join(t, 0);
    assert(seen == 0);
    return 0;
}
