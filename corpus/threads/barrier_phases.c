// expect: SAFE
// Nobody begins the second phase before all have ended the first; exactly one thread is told that it is the serial one.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t b;
int done[2], serial[2];

void *worker(void *arg)
{
    long me = (long)arg;
    done[me] = 1;
    serial[me] = pthread_barrier_wait(&b);
    assert(done[1 - me] == 1);
    assert(serial[me] == 0 || serial[me] == PTHREAD_BARRIER_SERIAL_THREAD);
    return 0;
}

int main(void)
{
    pthread_t t;
    assert(pthread_barrier_init(&b, 0, 2) == 0);
    pthread_create(&t, 0, worker, (void *)1);
    worker((void *)0);
    pthread_join(t, 0);
    assert(serial[0] + serial[1] == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(pthread_barrier_destroy(&b) == 0);
    return 0;
}
