// expect: UNSAFE overflow 12
// args: --property overflow
// engines: explore order refine clock
// Only together two threads count too far.
#include <pthread.h>

int x = 2147483646;

static void *worker(void *arg)
{
    int old = x;
    x = old + 1;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
