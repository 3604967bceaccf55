#include <pthread.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);

int a[4], *p;

void *worker(void *arg)
{
    int *block = malloc(sizeof *block);
    *block = 1;
    p = block;
    if (a[__VERIFIER_nondet_uint() % 4])
        *p = 2;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    for (unsigned i = 0; i < __VERIFIER_nondet_uint(); i++)
        a[1] = (int)i;
    p = &a[2];
    return 0;
}
