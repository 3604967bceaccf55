// expect: UNSAFE race 11|17
// args: --property race
// volatile orders nothing between threads.
#include <assert.h>
#include <pthread.h>

volatile int x;

void *one(void *arg)
{
    x = 1;
    return 0;
}

void *two(void *arg)
{
    x = 2;
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
