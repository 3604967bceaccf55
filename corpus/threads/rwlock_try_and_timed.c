// expect: SAFE
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    struct timespec soon = { 1, 0 };
    assert(pthread_rwlock_tryrdlock(&l) == 0);
    assert(pthread_rwlock_tryrdlock(&l) == 0);
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    assert(pthread_rwlock_timedwrlock(&l, &soon) == ETIMEDOUT);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    assert(pthread_rwlock_trywrlock(&l) == 0);
    assert(pthread_rwlock_tryrdlock(&l) == EBUSY);
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    assert(pthread_rwlock_timedrdlock(&l, &soon) == ETIMEDOUT);
    pthread_rwlock_unlock(&l);
    assert(pthread_rwlock_timedwrlock(&l, &soon) == 0);
    pthread_rwlock_unlock(&l);
    return 0;
}
