// expect: SAFE
// args: --property race
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int x;

void init(void)
{
    x = 1;
}

void *worker(void *arg)
{
    pthread_once(&once, init);
    return (void *)(long)x;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
