// expect: SAFE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

void *worker(void *arg)
{
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t attr;
    int state;
    size_t size;
    pthread_attr_init(&attr);
    assert(pthread_attr_getdetachstate(&attr, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setdetachstate(&attr, 17) == EINVAL);
    assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_attr_setstacksize(&attr, 1 << 16) == 0);
    assert(pthread_attr_getstacksize(&attr, &size) == 0 && size == 1 << 16);
    assert(pthread_create(&t, &attr, worker, 0) == 0);
    pthread_attr_destroy(&attr);
    assert(pthread_join(t, 0) == EINVAL);
    return 0;
}
