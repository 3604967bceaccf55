// expect: UNSAFE lock 9
#include <pthread.h>

int main(void)
{
    pthread_rwlock_t l;
    pthread_rwlock_init(&l, 0);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_destroy(&l);
    return 0;
}
