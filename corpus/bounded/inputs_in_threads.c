// expect: UNSAFE assert 31
// args: --property assert,lock,memory,division
// engines: order refine clock
// Inputs of three threads, and one value of each that adds up.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

unsigned sum;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    unsigned mine = __VERIFIER_nondet_uint();
    __VERIFIER_assume(mine > 1000 && mine < 5000);
    pthread_mutex_lock(&m);
    sum = sum * 3 + mine;
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
    assert(sum != 12345);
    return 0;
}
