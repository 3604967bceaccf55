// A write that certainly comes after the read is no source. KEPT: the reader is another thread.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

int x;

void *other(void *arg) { x = 9; return 0; }

void *reader(void *arg) { int r = x; return r ? arg : 0; }

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, other, 0);
#ifdef KEPT
    pthread_create(&u, 0, reader, 0);
#else
    reader(0);
#endif
    x = 1;
    return 0;
}
