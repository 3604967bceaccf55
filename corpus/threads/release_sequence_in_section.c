// expect: SAFE
// args: --property race
// A read-modify-write inside an atomic section is one.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

void *writer(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return 0;
}

void *third(void *arg)
{
    __VERIFIER_atomic_begin();
    int expected = 1;
    atomic_compare_exchange_strong_explicit(&flag, &expected, 2, memory_order_relaxed, memory_order_relaxed);
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, third, 0);
    int seen = atomic_load_explicit(&flag, memory_order_acquire);
    if (seen == 2)
        data = 2;
    return 0;
}
