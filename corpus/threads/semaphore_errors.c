// expect: SAFE
// Errors of semaphores are in errno.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <time.h>

int main(void)
{
    sem_t s;
    int value;
    struct timespec soon = { 1, 0 };
    assert(sem_init(&s, 0, (unsigned)INT_MAX + 1) == -1 && errno == EINVAL);
    assert(sem_init(&s, 0, 1) == 0);
    assert(sem_getvalue(&s, &value) == 0 && value == 1);
    assert(sem_trywait(&s) == 0);
    assert(sem_trywait(&s) == -1 && errno == EAGAIN);
    assert(sem_timedwait(&s, &soon) == -1 && errno == ETIMEDOUT);
    assert(sem_post(&s) == 0);
    assert(sem_timedwait(&s, &soon) == 0);
    assert(sem_getvalue(&s, &value) == 0 && value == 0);
    assert(sem_destroy(&s) == 0);
    assert(sem_init(&s, 0, INT_MAX) == 0);
    assert(sem_post(&s) == -1 && errno == EOVERFLOW);
    return 0;
}
