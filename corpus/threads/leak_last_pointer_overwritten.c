// expect: UNSAFE leak 13
// args: --property leak
// Two threads allocate for one pointer: the block of the first is lost.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *make(void *arg)
{
    if (!shared)
        shared = malloc(sizeof *shared);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, make, 0);
    pthread_create(&u, 0, make, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    free(shared);
    return 0;
}
