// expect: UNSAFE memory 12
// The old block is gone after realloc.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg)
{
    int *p = malloc(4);
    int *q = realloc(p, 8);
    q[1] = 0;
    *p = 1;
    free(q);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
