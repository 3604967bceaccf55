// expect: UNSAFE deadlock 17
// exact
// args: --property deadlock
// A thread leaves by pthread_exit with a mutex locked.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *leaves(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_exit(0);
}

void *waits(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
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
