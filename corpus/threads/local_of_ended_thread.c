// expect: UNSAFE memory 18
// The result points to a local of the thread, which is gone when it is joined.
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
    return *(int *)result;
}
