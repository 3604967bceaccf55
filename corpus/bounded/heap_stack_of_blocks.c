// expect: SAFE
// exact
// Blocks lie in a block at places that an index tells; who takes one frees it.
#include <pthread.h>
#include <stdlib.h>

void **blocks;
int count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *puts_one(void *arg)
{
    pthread_mutex_lock(&m);
    blocks[count++] = malloc(4);
    pthread_mutex_unlock(&m);
    return 0;
}

void *takes_one(void *arg)
{
    void *block = 0;
    pthread_mutex_lock(&m);
    if (count > 0)
        block = blocks[--count];
    pthread_mutex_unlock(&m);
    free(block);
    return 0;
}

int main(void)
{
    blocks = malloc(2 * sizeof(void *));
    pthread_t t, u, v;
    pthread_create(&t, 0, puts_one, 0);
    pthread_create(&u, 0, takes_one, 0);
    pthread_create(&v, 0, takes_one, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_join(v, 0);
    free(blocks);
    return 0;
}
