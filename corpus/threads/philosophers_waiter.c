// expect: SAFE
// Dining philosophers, of whom a waiter lets all but one sit down.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { N = 3 };

pthread_mutex_t fork[N];
sem_t seats;

void *philosopher(void *arg)
{
    int i = *(int *)arg;
    int a = i, b = (i + 1) % N;
    sem_wait(&seats);
    pthread_mutex_lock(&fork[a]);
    pthread_mutex_lock(&fork[b]);
    pthread_mutex_unlock(&fork[b]);
    pthread_mutex_unlock(&fork[a]);
    sem_post(&seats);
    return 0;
}

int main(void)
{
    pthread_t t[N];
    int ids[N];
    sem_init(&seats, 0, N - 1);
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
