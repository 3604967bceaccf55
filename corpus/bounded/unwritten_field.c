// expect: SAFE
// engines: order refine clock
// Memory that was never written is read, and nothing goes wrong whatever it holds.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct pair {
    int first, second;
} *shared;
int copy;

void *worker(void *unused)
{
    copy = shared->first;
    return 0;
}

int main(void)
{
    shared = malloc(sizeof *shared);
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int half = shared->second & 7;
    pthread_join(t, 0);
    assert(half < 8);
    return 0;
}
