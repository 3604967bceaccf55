// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// Threads that loops of constants start and join; a round that may block counts, so deepening is needed.
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
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(count == 3);
    return 0;
}
