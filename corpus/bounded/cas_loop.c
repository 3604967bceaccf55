// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// Each of two threads fails at most once, and the solver knows it.
#include <assert.h>
#include <pthread.h>

int counter;

void *worker(void *arg)
{
    int old;
    do
        old = counter;
    while (!__sync_bool_compare_and_swap(&counter, old, old + 1));
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(counter == 2);
    return 0;
}
