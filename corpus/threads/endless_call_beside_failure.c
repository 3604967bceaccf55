// expect: UNSAFE assert 33
// exact
// A thread loops for ever with calls; the others go on, and one fails.
#include <assert.h>
#include <pthread.h>

int x;
int never;
static int look(void)
{
    return !never;
}

void *loops(void *arg)
{
    while (look())
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
    assert(x == 0);
    return 0;
}
