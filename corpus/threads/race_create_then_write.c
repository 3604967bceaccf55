// expect: UNSAFE race 11|19
// args: --property race
// main writes after the thread was started.
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *arg)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    x = 2;
    pthread_join(t, 0);
    return 0;
}
