// expect: SAFE
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// After exit nobody moves.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int x;

void *worker(void *arg)
{
    if (x == 1)
        exit(0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    x = 1;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(0);
    return 0;
}
