// expect: UNSAFE memory 20
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// A local was dead before anybody else got its address.
#include <pthread.h>

void *worker(void *arg)
{
    int local = 1;
    int *volatile pointer = &local;
    return pointer;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, &result);
    *(int *)result = 2;
    return 0;
}
