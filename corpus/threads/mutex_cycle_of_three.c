// expect: UNSAFE deadlock 11
// Three philosophers.
#include <pthread.h>

pthread_mutex_t forks[3] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

void *philosopher(void *arg)
{
    long me = (long)arg;
    pthread_mutex_lock(&forks[me]);
    pthread_mutex_lock(&forks[(me + 1) % 3]);
    pthread_mutex_unlock(&forks[(me + 1) % 3]);
    pthread_mutex_unlock(&forks[me]);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, philosopher, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
