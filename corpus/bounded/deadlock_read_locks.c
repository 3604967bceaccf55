// expect: UNSAFE deadlock 12|21
// args: --property deadlock
// engines: explore order refine clock
// Each waits for the other to give back a read lock; the third thread goes on all the time.
#include <pthread.h>

pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;

void *one(void *arg)
{
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_wrlock(&b);
    pthread_rwlock_unlock(&b);
    pthread_rwlock_unlock(&a);
    return 0;
}

void *two(void *arg)
{
    pthread_rwlock_rdlock(&b);
    pthread_rwlock_wrlock(&a);
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b);
    return 0;
}

int main(void)
{
    pthread_t id0, id1;
    pthread_create(&id0, 0, one, 0);
    pthread_create(&id1, 0, two, 0);
    return 0;
}
