// A write whose guard excludes the read's guard is no source. KEPT: the read has no guard.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

int x;

void *other(void *arg) { x = 9; return 0; }

int main(void)
{
    pthread_t t;
    int c = __VERIFIER_nondet_int(), r = 0;
    pthread_create(&t, 0, other, 0);
    if (c)
        x = 1;
#ifndef KEPT
    if (!c)
#endif
        r = x;
    return r;
}
