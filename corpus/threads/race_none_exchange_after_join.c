// expect: SAFE
// args: --property race
// engines: explore
// The read of the read-modify-write in `main` has nobody to race with, but it makes the write continue the release sequence of
// the first thread.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

static void *sender(void *arg)
{
    data = 1;
    flag = 1;
    return 0;
}

static void *receiver(void *arg)
{
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 2) {
        atomic_thread_fence(memory_order_acquire);
        return (void *)(long)data;
    }
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, sender, 0);
    pthread_create(&second, 0, receiver, 0);
    pthread_join(first, 0);
    atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
    pthread_join(second, 0);
    return 0;
}
