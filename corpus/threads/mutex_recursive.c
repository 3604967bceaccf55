// expect: SAFE
// A recursive mutex counts: another thread gets it only after as many unlocks as locks.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t m;
int inside;

void *other(void *arg)
{
    assert(pthread_mutex_unlock(&m) == EPERM);
    if (pthread_mutex_trylock(&m) == 0) {
        assert(inside == 0);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    int type;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    assert(pthread_mutexattr_gettype(&attr, &type) == 0 && type == PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_create(&t, 0, other, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    assert(pthread_mutex_trylock(&m) == 0);
    inside = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    inside = 0;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(pthread_mutex_destroy(&m) == 0);
    return 0;
}
