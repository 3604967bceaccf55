// expect: SAFE
// args: --malloc-may-fail
// The result is tested.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg)
{
    int *p = malloc(sizeof *p);
    if (p)
        *p = 1;
    free(p);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
