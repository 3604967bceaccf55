// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// A block for each round of a loop, all of them alive.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);

int *p[3];

void *worker(void *arg)
{
    for (int i = 0; i < 3; i++) {
        p[i] = malloc(sizeof(int));
        *p[i] = i;
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    unsigned k = __VERIFIER_nondet_uint() % 3;
    assert(*p[k] == k);
    for (int i = 0; i < 3; i++)
        free(p[i]);
    return 0;
}
