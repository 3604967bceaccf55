// expect: UNSAFE assert 10
// Whoever ignores that trylock can fail works without the lock.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *try(void *arg)
{
    assert(pthread_mutex_trylock(&m) == 0);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, try, 0);
    pthread_create(&b, 0, try, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
