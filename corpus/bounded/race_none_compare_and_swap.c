// expect: SAFE
// args: --property race
// engines: explore order refine clock
// It never succeeds, so both only read.
#include <pthread.h>

int x;

void *worker(void *arg)
{
    __sync_bool_compare_and_swap(&x, 1, 2);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    int seen = x;
    pthread_join(id, 0);
    return seen;
}
