// expect: UNSAFE uninit 20
// args: --property uninit
// engines: explore order refine clock
// A block is shared before it is filled.
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *worker(void *arg)
{
    int *p = malloc(sizeof *p);
    shared = p;
    *p = 1;
    return 0;
}

static int look(int *p)
{
    return *p;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    int *p = shared;
    return p ? look(p) : 0;
}
