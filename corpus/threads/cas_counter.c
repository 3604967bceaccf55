// expect: SAFE
// A counter by compare-and-swap, tried until it succeeds.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter;

void *increment(void *arg)
{
    int old = counter;
    while (!atomic_compare_exchange_strong(&counter, &old, old + 1))
        ;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, increment, 0);
    pthread_create(&u, 0, increment, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(counter == 2);
    return 0;
}
