// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// Each thread has its own, and the address of one can be lent.
#include <assert.h>
#include <pthread.h>

__thread int mine = 5;
int *lent;

void *worker(void *arg)
{
    mine += (int)(long)arg;
    assert(mine == 5 + (int)(long)arg);
    return 0;
}

void *borrower(void *arg)
{
    *lent = 9;
    assert(mine == 5);
    return 0;
}

int main(void)
{
    pthread_t t, u, v;
    lent = &mine;
    pthread_create(&t, 0, worker, (void *)1L);
    pthread_create(&u, 0, worker, (void *)2L);
    pthread_create(&v, 0, borrower, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_join(v, 0);
    assert(mine == 9);
    return 0;
}
