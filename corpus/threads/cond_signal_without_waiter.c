// expect: SAFE
// A signal and a broadcast that nobody waits for do nothing.
#include <assert.h>
#include <pthread.h>

pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void *worker(void *arg)
{
    assert(pthread_cond_signal(&c) == 0);
    assert(pthread_cond_broadcast(&c) == 0);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
