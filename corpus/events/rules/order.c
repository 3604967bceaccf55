// A write that is certainly overwritten before the read is no source. KEPT: the overwriting write may not happen.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

int x;

void *other(void *arg) { x = 9; return 0; }

void *reader(void *arg) { int r = x; return r ? arg : 0; }

int main(void)
{
    pthread_t t, u;
    int c = __VERIFIER_nondet_int();
    pthread_create(&t, 0, other, 0);
    x = 1;
#ifdef KEPT
    if (c)
#endif
        x = 2;
    pthread_create(&u, 0, reader, 0);
    return 0;
}
