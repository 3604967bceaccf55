// expect: UNSAFE assert 29
// Two names are two semaphores.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

int x;

void *worker(void *arg)
{
    sem_t *s = arg;
    sem_wait(s);
    int t = x;
    x = t + 1;
    sem_post(s);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    sem_t *first = sem_open("/first", O_CREAT, 0600, 1), *second = sem_open("/second", O_CREAT, 0600, 1);
    pthread_create(&a, 0, worker, first);
    pthread_create(&b, 0, worker, second);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sem_open("/first", 0) == first && sem_open("/second", 0) == second);
    assert(x == 2);
    return 0;
}
