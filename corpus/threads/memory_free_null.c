// expect: SAFE
// Freeing the null pointer does nothing.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg)
{
    free(0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
