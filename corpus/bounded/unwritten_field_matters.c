// expect: UNKNOWN inputs
// engines: order refine clock
// Memory that was never written is read. The machine finds zeros there and nothing wrong, but that proves nothing.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *worker(void *unused)
{
    assert(*shared != 17);
    return 0;
}

int main(void)
{
    shared = malloc(sizeof *shared);
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
