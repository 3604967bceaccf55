// expect: SAFE
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// An exchange decides who frees.
#include <pthread.h>
#include <stdlib.h>

int *p;

void *worker(void *arg)
{
    int *mine = __atomic_exchange_n(&p, 0, __ATOMIC_SEQ_CST);
    if (mine) {
        *mine = 1;
        free(mine);
    }
    return 0;
}

int main(void)
{
    pthread_t t, u;
    p = malloc(sizeof *p);
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
