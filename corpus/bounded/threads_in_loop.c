// expect: SAFE
// args: --property assert,lock,memory,division --unwind 1
// engines: order refine clock
// Threads that a loop of constants starts, at bound 1.
#include <assert.h>
#include <pthread.h>

int count;

void *worker(void *arg)
{
    __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    assert(count == 3);
    return 0;
}
