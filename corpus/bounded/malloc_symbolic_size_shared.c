// expect: UNSAFE memory 15
// args: --property assert,lock,memory,division
// engines: order refine clock
// A block of a size that is an input, used by a thread that expects another.
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int *p;

void *user(void *arg)
{
    p[2] = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 2 && n <= 4);
    p = malloc(n * sizeof *p);
    pthread_create(&t, 0, user, 0);
    pthread_join(t, 0);
    free(p);
    return 0;
}
