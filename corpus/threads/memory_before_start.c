// expect: UNSAFE memory 12
// An index below zero.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int array[3], zero;

void *worker(void *arg)
{
    int i = -1;
    array[i + zero] = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
