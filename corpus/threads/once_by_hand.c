// expect: UNSAFE assert 14
// A flag is no replacement for pthread_once.
#include <assert.h>
#include <pthread.h>

int started, calls;

void *worker(void *arg)
{
    if (!started) {
        started = 1;
        calls++;
    }
    assert(calls == 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
