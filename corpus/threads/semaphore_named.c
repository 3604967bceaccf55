// expect: SAFE
// Who opens a name gets the semaphore that has it; unlinking frees the name, not the semaphore.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

int x;

void *worker(void *arg)
{
    sem_t *s = sem_open("/lock", 0);
    assert(s != SEM_FAILED);
    sem_wait(s);
    x++;
    sem_post(s);
    sem_close(s);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    assert(sem_open("/lock", 0) == SEM_FAILED && errno == ENOENT);
    sem_t *s = sem_open("/lock", O_CREAT, 0600, 1);
    assert(s != SEM_FAILED);
    assert(sem_open("/lock", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    assert(sem_unlink("/lock") == 0 && sem_unlink("/lock") == -1);
    assert(sem_open("/lock", O_CREAT, 0600, 0) != s);
    assert(sem_trywait(s) == 0);
    return 0;
}
