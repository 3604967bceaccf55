// expect: UNSAFE memory 22
// exact
// The size of a block depends on another thread; only one of the sizes is used.
#include <pthread.h>
#include <stdlib.h>

int size = 3;

void *worker(void *arg)
{
    size = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int bytes = size;
    char *block = malloc(bytes);
    if (bytes > 2) return 0;
    block[1] = 0;
    free(block);
    pthread_join(t, 0);
    return 0;
}
