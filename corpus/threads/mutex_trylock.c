// expect: SAFE
// trylock never blocks; it fails with EBUSY while somebody holds the mutex.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int holders;

void *try(void *arg)
{
    int error = pthread_mutex_trylock(&m);
    assert(error == 0 || error == EBUSY);
    if (error == 0) {
        holders++;
        assert(holders == 1);
        holders--;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, try, 0);
    pthread_create(&b, 0, try, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(pthread_mutex_trylock(&m) == 0);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    pthread_mutex_unlock(&m);
    return 0;
}
