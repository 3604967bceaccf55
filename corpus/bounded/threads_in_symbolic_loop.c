// expect: UNSAFE assert 26
// args: --property assert,lock,memory,division
// engines: order refine clock
// As many threads as an input says.
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
    pthread_t t[3];
    unsigned n = __VERIFIER_nondet_uint() % 4;
    for (unsigned i = 0; i < n; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (unsigned i = 0; i < n; i++)
        pthread_join(t[i], 0);
    assert(count != 3);
    return 0;
}
