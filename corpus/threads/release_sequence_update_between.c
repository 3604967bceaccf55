// expect: SAFE
// args: --property race
// The update of another thread stands between the release and the relaxed store of its thread.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *writer(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 2)
        atomic_store_explicit(&flag, 3, memory_order_relaxed);
    return 0;
}

void *third(void *arg)
{
    int expected = 1;
    atomic_compare_exchange_strong_explicit(&flag, &expected, 2, memory_order_relaxed, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, third, 0);
    int seen = atomic_load_explicit(&flag, memory_order_acquire);
    if (seen == 3)
        data = 2;
    return 0;
}
