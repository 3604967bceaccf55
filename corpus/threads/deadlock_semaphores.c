// expect: UNSAFE deadlock 12|21|34
// Two semaphores used like locks, in both orders.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t a, b;

void *one(void *arg)
{
    sem_wait(&a);
    sem_wait(&b);
    sem_post(&b);
    sem_post(&a);
    return 0;
}

void *two(void *arg)
{
    sem_wait(&b);
    sem_wait(&a);
    sem_post(&a);
    sem_post(&b);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    sem_init(&a, 0, 1);
    sem_init(&b, 0, 1);
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
