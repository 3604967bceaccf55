// expect: UNSAFE race 12|24
// args: --property race
// A relaxed store before the release heads nothing.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *writer(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int seen = atomic_load_explicit(&flag, memory_order_acquire);
    if (seen == 2)
        data = 2;
    return 0;
}
