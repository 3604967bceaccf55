// expect: UNSAFE memory 11
// A call through a null pointer.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void (*handler)(void);

void *worker(void *arg)
{
    handler();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
