// expect: UNSAFE memory 11
// args: --malloc-may-fail
// With --malloc-may-fail the result has to be tested.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg)
{
    int *p = malloc(sizeof *p);
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
