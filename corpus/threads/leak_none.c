// expect: SAFE
// args: --property leak
// What models allocate does not count.
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg)
{
    return malloc(4);
}

int main(void)
{
    pthread_t t;
    void *block;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, &block);
    free(block);
    return 0;
}
