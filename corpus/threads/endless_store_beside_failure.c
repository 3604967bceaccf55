// expect: UNSAFE assert 30
// exact
// A thread writes its own memory for ever; the others go on, and one fails.
#include <assert.h>
#include <pthread.h>

int x;
int never;

void *loops(void *arg)
{
    unsigned own[2] = {0, 0};
    while (!never)
        own[own[0] & 1]++;
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
    assert(x == 0);
    return 0;
}
