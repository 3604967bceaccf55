// expect: UNSAFE memory 27
// args: --property assert,lock,memory,division
// engines: order refine clock
// A block whose size another thread has chosen, written behind its end.
#include <pthread.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);

int *p;

void *maker(void *arg)
{
    unsigned n = __VERIFIER_nondet_uint() % 4 + 1;
    int *q = malloc(n * sizeof *q);
    q[0] = n;
    p = q;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, maker, 0);
    pthread_join(t, 0);
    int n = p[0];
    p[n] = 1;
    free(p);
    return 0;
}
