// expect: SAFE
// args: --property default,leak
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int *block;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    if (block) {
        free(block);
        block = 0;
    }
    pthread_mutex_unlock(&m);
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
