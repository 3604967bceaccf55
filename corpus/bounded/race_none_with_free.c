// expect: SAFE
// args: --property race,memory
// engines: explore order refine clock
// A block is freed after its reader has ended.
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg)
{
    int *p = arg;
    return *p ? arg : 0;
}

int main(void)
{
    pthread_t id;
    int *p = malloc(sizeof *p);
    *p = 1;
    pthread_create(&id, 0, worker, p);
    pthread_join(id, 0);
    free(p);
    return 0;
}
