// expect: UNSAFE memory 18
// The pointer is set by the other thread, perhaps too late.
#include <pthread.h>

int value = 3;
int *pointer;

void *worker(void *arg)
{
    pointer = &value;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    return *pointer;
}
