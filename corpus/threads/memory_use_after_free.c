// expect: UNSAFE memory 18
#include <pthread.h>
#include <stdlib.h>

int *block;

void *worker(void *arg)
{
    free(block);
    return 0;
}

int main(void)
{
    pthread_t t;
    block = malloc(sizeof *block);
    pthread_create(&t, 0, worker, 0);
    *block = 1;
    pthread_join(t, 0);
    return 0;
}
