// expect: UNSAFE deadlock 22
#include <pthread.h>
#include <semaphore.h>

sem_t s;

void *worker(void *arg)
{
    if (sem_trywait(&s) != 0)
        sem_post(&s);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 1);
    pthread_create(&t, 0, worker, 0);
    sem_wait(&s);
    pthread_join(t, 0);
    sem_wait(&s);
    sem_wait(&s);
    return 0;
}
