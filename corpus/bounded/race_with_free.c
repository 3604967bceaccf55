// expect: UNSAFE race 11|20
// args: --property race
// engines: explore order refine clock
// Freeing a block races with reading it.
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
    free(p);
    pthread_join(id, 0);
    return 0;
}
