// expect: UNSAFE deadlock 15
// So does locking one that was made normal explicitly.
#define _GNU_SOURCE
#include <pthread.h>

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutex_t m;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_NORMAL);
    pthread_mutex_init(&m, &attr);
    pthread_mutexattr_destroy(&attr);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    return 0;
}
