// expect: UNSAFE deadlock 10
// Two readers that both want to become writers.
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *upgrade(void *arg)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, upgrade, 0);
    pthread_create(&b, 0, upgrade, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
