// expect: SAFE
// exact
// The same with bytes, as wide as the cell that says whether a block is alive.
#include <pthread.h>
#include <stdlib.h>

char *block;
int next;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    block[next++] = 0;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    block = malloc(2);
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    free(block);
    return 0;
}
