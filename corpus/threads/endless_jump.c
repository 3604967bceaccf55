// expect: SAFE
// exact
// A thread loops for ever; the others go on and nothing is wrong.
#include <assert.h>
#include <pthread.h>

int x;
int never;

void *loops(void *arg)
{
    for (;;)
        ;
    return 0;
}

void *works(void *arg)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, loops, 0);
    pthread_create(&u, 0, works, 0);
    pthread_join(u, 0);
    assert(x == 1);
    return 0;
}
