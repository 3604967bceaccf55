// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// What a thread wrote at a place that is no constant, it finds there.
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
    unsigned i = __VERIFIER_nondet_uint() % 4;
    a[i] = 5;
    assert(a[i] == 5 || i == 3);
    assert(i == 0 ? a[0] == 5 : a[0] == 0);
    pthread_join(t, 0);
    return 0;
}
