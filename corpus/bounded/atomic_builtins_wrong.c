// expect: UNSAFE assert 29
// args: --property assert,lock,memory,division
// engines: order refine clock
// The value that fetch_add returns is the old one.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int x, last;

void *worker(void *arg)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n == 3 || n == 5);
    if (__atomic_fetch_add(&x, n, __ATOMIC_SEQ_CST) == 0)
        last = n;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(!(x == 8 && last == 5));
    return 0;
}
