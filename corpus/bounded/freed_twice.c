// expect: UNSAFE memory 13
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// Two threads free one block.
#include <pthread.h>
#include <stdlib.h>

int *p;

void *worker(void *arg)
{
    if (p) {
        free(p);
        p = 0;
    }
    return 0;
}

int main(void)
{
    pthread_t t, u;
    p = malloc(sizeof *p);
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
