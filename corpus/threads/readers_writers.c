// expect: SAFE
// Readers and a writer with a count of readers; the first reader locks the writers out.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
sem_t room;
int readers, value, writing;

void *reader(void *arg)
{
    pthread_mutex_lock(&m);
    if (++readers == 1)
        sem_wait(&room);
    pthread_mutex_unlock(&m);
    assert(!writing);
    pthread_mutex_lock(&m);
    if (--readers == 0)
        sem_post(&room);
    pthread_mutex_unlock(&m);
    return 0;
}

void *writer(void *arg)
{
    sem_wait(&room);
    writing = 1;
    value++;
    writing = 0;
    sem_post(&room);
    return 0;
}

int main(void)
{
    pthread_t r, s, w;
    sem_init(&room, 0, 1);
    pthread_create(&r, 0, reader, 0);
    pthread_create(&s, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    pthread_join(r, 0);
    pthread_join(s, 0);
    pthread_join(w, 0);
    return 0;
}
