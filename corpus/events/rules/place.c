// A write of another element is no source. KEPT: the index is an input.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

int a[2];

void *other(void *arg)
{
    int i = 1;
#ifdef KEPT
    i = __VERIFIER_nondet_int() & 1;
#endif
    a[i] = 7;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    return a[0];
}
