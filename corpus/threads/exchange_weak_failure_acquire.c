// expect: SAFE
// args: --property race
// A compare-and-exchange that fails has its failure order, which acquires.
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
    int seen = 0;
    atomic_compare_exchange_weak_explicit(&flag, &seen, 5, memory_order_acquire, memory_order_acquire);
    if (seen == 1)
        data = 2;
    return 0;
}
