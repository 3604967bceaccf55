// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// Atomic operations on inputs.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

unsigned x;
unsigned char flag;

void *worker(void *arg)
{
    unsigned n = *(unsigned *)arg;
    __atomic_fetch_add(&x, n, __ATOMIC_SEQ_CST);
    __atomic_fetch_xor(&x, 0xf0, __ATOMIC_SEQ_CST);
    __atomic_fetch_sub(&x, n, __ATOMIC_SEQ_CST);
    __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void)
{
    pthread_t t;
    unsigned n = __VERIFIER_nondet_uint() & 0xf, old;
    pthread_create(&t, 0, worker, &n);
    old = __atomic_exchange_n(&x, 0, __ATOMIC_SEQ_CST);
    assert(old == 0 || old == n || old == (n ^ 0xf0) || old == 0xf0);
    pthread_join(t, 0);
    assert(flag);
    if (old == 0 && n == 0)
        assert(x == 0xf0 || x == 0);
    return 0;
}
