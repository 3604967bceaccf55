// expect: UNSAFE memory 11
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// A local whose call is over before the thread uses it.
#include <pthread.h>

pthread_t t;

void *worker(void *arg)
{
    *(int *)arg = 1;
    return 0;
}

void start(void)
{
    int x = 0;
    pthread_create(&t, 0, worker, &x);
}

int main(void)
{
    start();
    pthread_join(t, 0);
    return 0;
}
