// expect: UNSAFE memory 21
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// The thread-local of a thread that is over.
#include <pthread.h>

__thread int mine;
int *p;

void *worker(void *arg)
{
    p = &mine;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    *p = 2;
    return 0;
}
