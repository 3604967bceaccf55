// Between an enter and its leave nobody else writes the lock. KEPT: one thread writes the cell without entering.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

int lock, x;

void acquire(void)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(lock == 0);
    lock = 1;
    __VERIFIER_atomic_end();
}

void *other(void *arg)
{
    acquire();
    x = 1;
    lock = 0;
    return 0;
}

void *third(void *arg)
{
#ifdef KEPT
    lock = 0;
#endif
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, other, 0);
    pthread_create(&u, 0, third, 0);
    acquire();
    x = 2;
    lock = 0;
    return 0;
}
