// expect: SAFE
// sem_trywait fails instead of waiting, and sem_getvalue tells the count.
#include <assert.h>
#include <pthread.h>
#include <errno.h>
#include <semaphore.h>

sem_t s;

int main(void)
{
    int value;
    sem_init(&s, 0, 1);
    assert(sem_trywait(&s) == 0);
    assert(sem_trywait(&s) == -1 && errno == EAGAIN);
    sem_post(&s);
    sem_post(&s);
    assert(sem_getvalue(&s, &value) == 0 && value == 2);
    return 0;
}
