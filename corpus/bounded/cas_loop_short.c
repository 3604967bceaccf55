// expect: SAFE WITHIN unwind=1
// args: --property assert,lock,memory,division --unwind 1
// engines: order refine clock
// Of three threads one can fail twice, and at bound 1 that is cut off.
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
    pthread_t t, u, v;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_create(&v, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_join(v, 0);
    assert(counter == 3);
    return 0;
}
