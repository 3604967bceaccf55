// expect: SAFE
// args: --property race
// Only a successful exchange acquires, and only then data is used.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *writer(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int seen = 1;
    _Bool done = atomic_compare_exchange_strong_explicit(&flag, &seen, 5, memory_order_acquire, memory_order_relaxed);
    if (done)
        data = 2;
    return 0;
}
