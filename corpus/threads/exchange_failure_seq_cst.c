// expect: SAFE
// args: --property race
// exact
// A failing exchange with the strongest order.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *writer(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_seq_cst);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int seen = 0;
    atomic_compare_exchange_strong_explicit(&flag, &seen, 5, memory_order_seq_cst, memory_order_seq_cst);
    if (seen == 1)
        data = 2;
    return 0;
}
