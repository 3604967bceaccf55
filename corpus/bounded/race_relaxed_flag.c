// expect: UNKNOWN unsupported
// args: --property race
// engines: order refine clock
// A relaxed flag tells that the data are there and orders nothing.
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready;
int data;

void *worker(void *arg)
{
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        return data;
    return 0;
}
