// expect: UNSAFE assert 27
// args: --property assert,lock,memory,division
// engines: order refine clock
// A thread that is started only for some inputs loses an increment.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

int x;

void *worker(void *arg)
{
    x++;
    return 0;
}

int main(void)
{
    pthread_t t;
    int start = __VERIFIER_nondet_int();
    if (start)
        pthread_create(&t, 0, worker, 0);
    x++;
    if (start)
        pthread_join(t, 0);
    assert(x == (start ? 2 : 1));
    return 0;
}
