// expect: SAFE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_t first;

void *worker(void *arg)
{
    assert(!pthread_equal(pthread_self(), first));
    return (void *)pthread_self();
}

int main(void)
{
    pthread_t a, b;
    void *result;
    first = pthread_self();
    assert(pthread_equal(first, pthread_self()));
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    assert(!pthread_equal(a, b));
    pthread_join(a, &result);
    assert(pthread_equal((pthread_t)result, a));
    pthread_join(b, 0);
    return 0;
}
