// expect: UNSAFE assert 24
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// A violation counts although another thread is blocked for ever.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *stuck(void *arg)
{
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_lock(&m);
    x = 2;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, stuck, 0);
    assert(x != 1);
    return 0;
}
