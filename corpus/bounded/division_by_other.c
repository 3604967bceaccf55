// expect: UNSAFE division 21
// args: --property assert,lock,memory,division
// engines: order refine clock
// A divisor that another thread makes zero.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

int d = 2;

void *worker(void *arg)
{
    d = __VERIFIER_nondet_int();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int x = 100 / d;
    pthread_join(t, 0);
    return x;
}
