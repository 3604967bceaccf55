// expect: UNSAFE lock 10
// A thread unlocks what main holds, but only if it comes at the right time.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *other(void *arg)
{
    if (pthread_mutex_trylock(&m) != 0)
        pthread_mutex_unlock(&m);
    else
        pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
