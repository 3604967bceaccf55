// expect: UNSAFE assert 21
// An atomic load and an atomic store are no atomic increment.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *add(void *arg)
{
    x = x + 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
