// expect: UNSAFE race 11|19
// args: --property race
// engines: explore order refine clock
// An atomic exchange races with a plain read if it succeeds.
#include <pthread.h>

int x;

void *worker(void *arg)
{
    __sync_bool_compare_and_swap(&x, 0, 1);
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
