// expect: UNSAFE lock 8
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    pthread_rwlock_unlock(&l);
    return 0;
}
