// expect: SAFE
// Exactly one of the threads that pass a barrier is told so.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_barrier_t b;
atomic_int serial;

void *pass(void *arg)
{
    int result = pthread_barrier_wait(&b);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result)
        serial++;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, pass, 0);
    pthread_create(&u, 0, pass, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(serial == 1);
    return 0;
}
