// expect: UNSAFE lock 8
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *other(void *arg)
{
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_rwlock_wrlock(&l);
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    return 0;
}
