// expect: SAFE
// exit in one thread ends all: what main asserts behind its endless wait is never reached.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

sem_t never;

void *worker(void *arg)
{
    exit(0);
}

int main(void)
{
    pthread_t t;
    sem_init(&never, 0, 0);
    pthread_create(&t, 0, worker, 0);
    sem_wait(&never);
    assert(0);
}
