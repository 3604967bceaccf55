// expect: UNSAFE deadlock 17
// exact
// args: --property deadlock
// A reader ends, a writer waits for it.
#include <pthread.h>

pthread_rwlock_t m = PTHREAD_RWLOCK_INITIALIZER;

void *leaves(void *arg)
{
    pthread_rwlock_rdlock(&m);
    return 0;
}

void *waits(void *arg)
{
    pthread_rwlock_wrlock(&m);
    pthread_rwlock_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, leaves, 0);
    pthread_create(&u, 0, waits, 0);
    for (;;)
        ;
    return 0;
}
