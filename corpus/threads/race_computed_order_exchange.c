// expect: SAFE
// args: --property race
// Both orders of a compare-and-exchange are computed; success acquires.
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;
int data;

static int take(atomic_int *p, memory_order success, memory_order failure)
{
    int expected = 1;
    return atomic_compare_exchange_strong_explicit(p, &expected, 2, success, failure);
}

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
    if (take(&flag, memory_order_acquire, memory_order_relaxed))
        data = 2;
    pthread_join(t, 0);
    return 0;
}
