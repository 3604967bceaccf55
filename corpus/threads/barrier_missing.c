// expect: UNSAFE assert 22
// The barrier stands at the wrong place.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t b;
int ready;

void *worker(void *arg)
{
    pthread_barrier_wait(&b);
    ready = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, worker, 0);
    pthread_barrier_wait(&b);
    assert(ready);
    pthread_join(t, 0);
    return 0;
}
