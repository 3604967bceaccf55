// expect: SAFE
// args: --property race
// A memory order that is no constant is the one that it has when the operation is executed: release and acquire.
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;
int data;

static void put(atomic_int *p, int value, memory_order order)
{
    atomic_store_explicit(p, value, order);
}

static int get(atomic_int *p, memory_order order)
{
    return atomic_load_explicit(p, order);
}

void *writer(void *arg)
{
    data = 1;
    put(&flag, 1, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    if (get(&flag, memory_order_acquire))
        data = 2;
    pthread_join(t, 0);
    return 0;
}
