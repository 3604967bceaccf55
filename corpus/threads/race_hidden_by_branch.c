// expect: UNSAFE race 14|20
// args: --property race
// The race shows only if the second thread comes first: otherwise the branch is not taken.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int x;
atomic_int go = 1;

void *one(void *arg)
{
    if (go)
        x = 1;
    return 0;
}

void *two(void *arg)
{
    x = 2;
    go = 0;
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
