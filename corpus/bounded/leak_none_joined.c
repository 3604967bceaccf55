// expect: SAFE
// args: --property leak
// engines: explore order refine clock
// Blocks are freed before the process ends, by whoever comes last.
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg)
{
    char *p = malloc(1);
    return p;
}

int main(void)
{
    pthread_t id;
    void *p;
    pthread_create(&id, 0, worker, 0);
    pthread_join(id, &p);
    free(p);
    return 0;
}
