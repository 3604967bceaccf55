// expect: UNSAFE memory 22
// args: --property assert,lock,memory,division
// engines: order refine clock
// An index is right when it is looked at and wrong when it is used.
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
    if (index >= 0 && index < 4)
        a[index] = 1;
    pthread_join(t, 0);
    return 0;
}
