// expect: SAFE
// glibc's static initialiser for recursive mutexes.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

int main(void)
{
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_unlock(&m) == 0);
    assert(pthread_mutex_unlock(&m) == 0);
    assert(pthread_mutex_destroy(&m) == 0);
    return 0;
}
