// expect: UNSAFE memory 13
// The test for null and the use are two steps; in between the other thread frees.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *user(void *arg)
{
    int *p = shared;
    if (p)
        *p = 1;
    return 0;
}

void *cleaner(void *arg)
{
    int *p = shared;
    shared = 0;
    free(p);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    shared = malloc(sizeof *shared);
    pthread_create(&t, 0, user, 0);
    pthread_create(&u, 0, cleaner, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
