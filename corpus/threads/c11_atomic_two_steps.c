// expect: UNSAFE assert 22
// Two atomic operations are not one: x = x + 1 on an atomic variable reads and then writes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *increment(void *arg)
{
    x = x + 1;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, increment, 0);
    pthread_create(&u, 0, increment, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 2);
    return 0;
}
