// expect: SAFE
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// A thread starts another one and waits for it.
#include <assert.h>
#include <pthread.h>

int x;

void *inner(void *arg)
{
    x = 2;
    return 0;
}

void *outer(void *arg)
{
    pthread_t t;
    x = 1;
    pthread_create(&t, 0, inner, 0);
    pthread_join(t, 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, outer, 0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
