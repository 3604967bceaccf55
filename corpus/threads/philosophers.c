// expect: UNSAFE deadlock 15
// Dining philosophers who all take the left fork first.
#include <assert.h>
#include <pthread.h>

enum { N = 3 };

pthread_mutex_t fork[N];

void *philosopher(void *arg)
{
    int i = *(int *)arg;
    int a = i, b = (i + 1) % N;
    pthread_mutex_lock(&fork[a]);
    pthread_mutex_lock(&fork[b]);
    pthread_mutex_unlock(&fork[b]);
    pthread_mutex_unlock(&fork[a]);
    return 0;
}

int main(void)
{
    pthread_t t[N];
    int ids[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork[i], 0);
    for (int i = 0; i < N; i++) {
        ids[i] = i;
        pthread_create(&t[i], 0, philosopher, &ids[i]);
    }
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
