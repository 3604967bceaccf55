// expect: SAFE
// exit ends the process with all its threads, whoever calls it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg)
{
    exit(0);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(0);
}
