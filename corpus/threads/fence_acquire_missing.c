// expect: UNSAFE race 12|24
// args: --property race
// Nothing acquires.
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

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int seen = atomic_load_explicit(&flag, memory_order_relaxed);
    if (seen == 1)
        data = 2;
    return 0;
}
