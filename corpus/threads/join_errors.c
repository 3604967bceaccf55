// expect: SAFE
// Joining oneself, joining twice, joining and detaching a detached thread.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

void *worker(void *arg)
{
    return 0;
}

int main(void)
{
    pthread_t a, b;
    assert(pthread_join(pthread_self(), 0) == EDEADLK);
    pthread_create(&a, 0, worker, 0);
    assert(pthread_join(a, 0) == 0);
    assert(pthread_join(a, 0) == EINVAL);
    pthread_create(&b, 0, worker, 0);
    assert(pthread_detach(b) == 0);
    assert(pthread_detach(b) == EINVAL);
    assert(pthread_join(b, 0) == EINVAL);
    return 0;
}
