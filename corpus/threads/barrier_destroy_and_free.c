// expect: SAFE
// Whoever is the serial thread may destroy the barrier, although the others may not have left it yet.
#include <pthread.h>
#include <stdlib.h>

pthread_barrier_t *b;

void *worker(void *arg)
{
    if (pthread_barrier_wait(b) == PTHREAD_BARRIER_SERIAL_THREAD) {
        pthread_barrier_destroy(b);
        free(b);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    b = malloc(sizeof *b);
    pthread_barrier_init(b, 0, 2);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
