// expect: UNSAFE assert 23
// One attempt at an exchange is not enough: the increment of the loser is lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter;

void *increment(void *arg)
{
    int old = counter;
    atomic_compare_exchange_strong(&counter, &old, old + 1);
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
