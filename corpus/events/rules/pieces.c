// Accesses that overlap in part are cut into bytes. A write of other bytes is no source. KEPT: it overlaps.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

union { short half[2]; char byte[4]; } u;

void *other(void *arg)
{
#ifdef KEPT
    u.half[0] = 0x102;
#else
    u.half[1] = 0x102;
#endif
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    return u.byte[1];
}
