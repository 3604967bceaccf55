// expect: UNSAFE assert 27
// args: --property assert,lock,memory,division
// engines: order refine clock
// A local that is lent to a thread by its address.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

void *worker(void *arg)
{
    int *p = arg;
    *p += 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x < 100);
    int old = x;
    pthread_create(&t, 0, worker, &x);
    x += 1;
    pthread_join(t, 0);
    assert(x == old + 2);
    return 0;
}
