// expect: SAFE
// An errorcheck mutex tells of misuse by its results.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m;

void *other(void *arg)
{
    assert(pthread_mutex_unlock(&m) == EPERM);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    struct timespec soon = { 1, 0 };
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &attr);
    assert(pthread_mutex_unlock(&m) == EPERM);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_lock(&m) == EDEADLK);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    assert(pthread_mutex_timedlock(&m, &soon) == EDEADLK);
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    assert(pthread_mutex_unlock(&m) == 0);
    return 0;
}
