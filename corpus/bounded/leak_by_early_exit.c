// expect: UNSAFE leak 10
// args: --property leak
// engines: explore order refine clock
// The process may end before the worker frees its block.
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg)
{
    char *p = malloc(1);
    free(p);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    return 0;
}
