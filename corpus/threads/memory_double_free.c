// expect: UNSAFE memory 10
#include <pthread.h>
#include <stdlib.h>

int *block;

void *worker(void *arg)
{
    if (block) {
        free(block);
        block = 0;
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    block = malloc(sizeof *block);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}
