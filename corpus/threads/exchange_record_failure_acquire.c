// expect: SAFE
// args: --property race
// The orders of an exchange of records.
#include <pthread.h>
#include <stdatomic.h>

int data;
struct pair { int a, b; };
_Atomic struct pair flag;

void *writer(void *arg)
{
    data = 1;
    struct pair one = {1, 1};
    atomic_store_explicit(&flag, one, memory_order_release);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    struct pair seen = {0, 0}, new = {5, 5};
    atomic_compare_exchange_strong_explicit(&flag, &seen, new, memory_order_acquire, memory_order_acquire);
    if (seen.a == 1)
        data = 2;
    return 0;
}
