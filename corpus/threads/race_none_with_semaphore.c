// expect: SAFE
// args: --property default,race
// A semaphore hands the variable over.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t ready;
int x;

void *one(void *arg)
{
    x = 1;
    sem_post(&ready);
    return 0;
}

void *two(void *arg)
{
    sem_wait(&ready);
    assert(x == 1);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    sem_init(&ready, 0, 0);
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
