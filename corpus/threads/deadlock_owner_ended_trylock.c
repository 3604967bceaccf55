// expect: SAFE
// exact
// args: --property deadlock
// Who only tries does not wait.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *leaves(void *arg)
{
    pthread_mutex_lock(&m);
    return 0;
}

void *waits(void *arg)
{
    if (pthread_mutex_trylock(&m) == 0)
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
