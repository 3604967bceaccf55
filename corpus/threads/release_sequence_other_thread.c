// expect: UNSAFE race 12|31
// args: --property race
// A relaxed store of another thread ends the release sequence.
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

void *third(void *arg)
{
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
        atomic_store_explicit(&flag, 2, memory_order_relaxed);
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
