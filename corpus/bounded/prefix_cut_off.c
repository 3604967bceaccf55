// expect: UNSAFE assert 23
// args: --property assert,lock,memory,division --unwind 2
// engines: order refine clock
// A violation counts although another thread loops beyond every bound.
#include <assert.h>
#include <pthread.h>

int x, go = 1;

void *busy(void *arg)
{
    x = 1;
    while (go)
        ;
    x = 2;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, busy, 0);
    assert(x != 1);
    go = 0;
    pthread_join(t, 0);
    return 0;
}
