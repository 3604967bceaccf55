// expect: UNSAFE assert 23
// A wait with a time limit may run out of time.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

sem_t s;

void *poster(void *arg)
{
    sem_post(&s);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct timespec limit = {1, 0};
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, poster, 0);
    int error = sem_timedwait(&s, &limit);
    assert(error == 0);
    pthread_join(t, 0);
    return 0;
}
