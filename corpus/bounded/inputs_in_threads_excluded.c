// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// Inputs that cannot add up.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

unsigned sum;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    unsigned mine = __VERIFIER_nondet_uint() & 0xff;
    pthread_mutex_lock(&m);
    sum += 2 * mine;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(sum % 2 == 0 && sum <= 1020);
    return 0;
}
