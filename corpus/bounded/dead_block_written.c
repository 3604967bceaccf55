// expect: UNSAFE memory 26
// args: --property assert,lock,memory,division
// engines: order refine clock
// A block was freed before anybody else got its address.
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int *p;

void *worker(void *arg)
{
    int *mine = malloc(sizeof *mine);
    if (__VERIFIER_nondet_int())
        free(mine);
    p = mine;
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
