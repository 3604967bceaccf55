// expect: SAFE
// args: --property race
// Reads alone do not race.
#include <assert.h>
#include <pthread.h>

int x = 3;

void *one(void *arg)
{
    assert(x == 3);
    return 0;
}

void *two(void *arg)
{
    assert(x == 3);
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
