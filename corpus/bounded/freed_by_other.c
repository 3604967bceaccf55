// expect: UNSAFE memory 25
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// A block is freed between the test and the use.
#include <pthread.h>
#include <stdlib.h>

int *p;

void *worker(void *arg)
{
    int *mine = p;
    p = 0;
    free(mine);
    return 0;
}

int main(void)
{
    pthread_t t;
    p = malloc(sizeof *p);
    *p = 1;
    pthread_create(&t, 0, worker, 0);
    if (p)
        *p = 2;
    pthread_join(t, 0);
    return 0;
}
