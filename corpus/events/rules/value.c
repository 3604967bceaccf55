// A write of a value that the read cannot have is no source: whoever enters has read 0. KEPT: any even value will do.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

int flag;

void *other(void *arg) { flag = 2; return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    __VERIFIER_atomic_begin();
#ifdef KEPT
    __VERIFIER_assume((flag & 1) == 0);
#else
    __VERIFIER_assume(flag == 0);
#endif
    __VERIFIER_atomic_end();
    return 0;
}
