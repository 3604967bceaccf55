// expect: SAFE
// Two threads hold a read lock at once: each waits for the other inside.
#include <pthread.h>
#include <semaphore.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
sem_t a, b;

void *reader(void *arg)
{
    pthread_rwlock_rdlock(&l);
    sem_post(&a);
    sem_wait(&b);
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&a, 0, 0);
    sem_init(&b, 0, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_rwlock_rdlock(&l);
    sem_post(&b);
    sem_wait(&a);
    pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
    return 0;
}
