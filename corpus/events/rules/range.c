// The value range of a read is that of its sources. KEPT: one source is an input.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

int x;

void *other(void *arg)
{
#ifdef KEPT
    x = __VERIFIER_nondet_int();
#else
    x = 5;
#endif
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    return x;
}
