// expect: SAFE
// exact
// args: --property deadlock
// A reader ends, another reader need not wait.
#include <pthread.h>

pthread_rwlock_t m = PTHREAD_RWLOCK_INITIALIZER;

void *leaves(void *arg)
{
    pthread_rwlock_rdlock(&m);
    return 0;
}

void *waits(void *arg)
{
    pthread_rwlock_rdlock(&m);
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
