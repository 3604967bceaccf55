// expect: SAFE
// args: --property race
// A relaxed read-modify-write of another thread continues the release sequence of the fence.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *writer(void *arg)
{
    data = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
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
    int seen = atomic_load_explicit(&flag, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    if (seen == 2)
        data = 2;
    return 0;
}
