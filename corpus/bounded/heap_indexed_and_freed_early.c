// expect: UNSAFE memory 14
// exact
// A thread writes a block at a place that an index tells, perhaps after it was freed.
#include <pthread.h>
#include <stdlib.h>

int *block;
int next;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    block[next++] = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    block = malloc(2 * sizeof(int));
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    free(block);
    return 0;
}
