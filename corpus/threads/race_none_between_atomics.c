// expect: SAFE
// args: --property race
// Atomic accesses do not race with each other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *one(void *arg)
{
    x = 1;
    return 0;
}

void *two(void *arg)
{
    x++;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
