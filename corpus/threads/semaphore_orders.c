// expect: SAFE
// args: --property all
// A post happens before the wait that it allows: no race. Unlike a signal, it is remembered.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t s;
int data;

void *producer(void *arg)
{
    data = 42;
    sem_post(&s);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, producer, 0);
    sem_wait(&s);
    assert(data == 42);
    pthread_join(t, 0);
    return 0;
}
