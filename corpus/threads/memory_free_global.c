// expect: UNSAFE memory 11
// A global variable cannot be freed.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int global;

void *worker(void *arg)
{
    free(&global);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
