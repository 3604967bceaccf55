// expect: SAFE
// A write lock is refused while a reader is there, and a read lock while a writer is.
#include <assert.h>
#include <pthread.h>
#include <errno.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *other(void *arg)
{
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&l) == 0);
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_rwlock_rdlock(&l);
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    pthread_rwlock_unlock(&l);
    assert(pthread_rwlock_wrlock(&l) == 0);
    assert(pthread_rwlock_tryrdlock(&l) == EBUSY);
    pthread_rwlock_unlock(&l);
    return 0;
}
