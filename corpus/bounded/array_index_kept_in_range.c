// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// An index of another thread, copied before it is looked at.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

int a[4], index;

void *mover(void *arg)
{
    index = __VERIFIER_nondet_int();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, mover, 0);
    int i = index;
    if (i >= 0 && i < 4)
        a[i] = 1;
    pthread_join(t, 0);
    return 0;
}
