// expect: UNSAFE assert 16
// args: --property assert
// Readers that count themselves without the mutex: the count goes wrong, and a reader meets the writer.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
sem_t room;
int readers, value, writing;

void *reader(void *arg)
{
    if (++readers == 1)
        sem_wait(&room);
    assert(!writing);
    if (--readers == 0)
        sem_post(&room);
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
