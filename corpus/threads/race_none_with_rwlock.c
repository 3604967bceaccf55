// expect: SAFE
// args: --property race
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *reader(void *arg)
{
    pthread_rwlock_rdlock(&l);
    int y = x;
    pthread_rwlock_unlock(&l);
    return (void *)(long)y;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_rwlock_wrlock(&l);
    x = 1;
    pthread_rwlock_unlock(&l);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
