// expect: SAFE
// args: --property deadlock
// engines: explore order refine clock
// Readers do not exclude each other, whatever the order.
#include <pthread.h>

pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;

void *one(void *arg)
{
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_rdlock(&b);
    pthread_rwlock_unlock(&b);
    pthread_rwlock_unlock(&a);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, one, 0);
    pthread_rwlock_rdlock(&b);
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b);
    pthread_join(id, 0);
    return 0;
}
