// expect: UNSAFE assert 8
// pthread_exit from main lets the other threads go on.
#include <assert.h>
#include <pthread.h>

void *worker(void *arg)
{
    assert(0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}
