// expect: SAFE
// args: --property uninit
// engines: explore order refine clock
// It is filled first.
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *worker(void *arg)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    shared = p;
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    int *p = shared;
    return p ? *p : 0;
}
