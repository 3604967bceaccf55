// expect: SAFE
// Each thread has its own value, at first null.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_key_t key;

void *worker(void *arg)
{
    assert(pthread_getspecific(key) == 0);
    assert(pthread_setspecific(key, arg) == 0);
    assert(pthread_getspecific(key) == arg);
    return 0;
}

int main(void)
{
    pthread_t t;
    assert(pthread_key_create(&key, 0) == 0);
    pthread_create(&t, 0, worker, (void *)1);
    worker((void *)2);
    pthread_join(t, 0);
    assert(pthread_getspecific(key) == (void *)2);
    assert(pthread_key_delete(key) == 0);
    assert(pthread_key_delete(key) == EINVAL);
    assert(pthread_setspecific(key, 0) == EINVAL);
    return 0;
}
