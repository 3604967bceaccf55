// expect: SAFE
// The first thread can be joined like any other.
#include <assert.h>
#include <pthread.h>

pthread_t first;
int x;

void *worker(void *arg)
{
    void *result;
    assert(pthread_join(first, &result) == 0);
    assert(x == 1 && result == (void *)7);
    return 0;
}

int main(void)
{
    pthread_t t;
    first = pthread_self();
    pthread_create(&t, 0, worker, 0);
    x = 1;
    pthread_exit((void *)7);
}
