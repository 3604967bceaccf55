// expect: UNSAFE leak 10
// args: --property leak
// engines: explore order refine clock
// Nobody exits; the process ends with its last thread.
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg)
{
    char *p = malloc(1);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    pthread_exit(0);
}
