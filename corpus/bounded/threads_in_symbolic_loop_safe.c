// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// As many threads as an input says; deepening ends.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

int count;

void *worker(void *arg)
{
    __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    unsigned n = __VERIFIER_nondet_uint() % 3;
    for (unsigned i = 0; i < n; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (unsigned i = 0; i < n; i++)
        pthread_join(t[i], 0);
    assert(count == n);
    return 0;
}
