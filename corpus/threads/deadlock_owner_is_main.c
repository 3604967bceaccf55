// expect: UNSAFE deadlock 11
// exact
// args: --property deadlock
// main leaves by pthread_exit with a mutex locked, and another thread runs for ever.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *waits(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

void *runs(void *arg)
{
    for (;;)
        ;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, waits, 0);
    pthread_create(&u, 0, runs, 0);
    pthread_exit(0);
}
