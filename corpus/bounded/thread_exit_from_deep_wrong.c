// expect: UNSAFE assert 29
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// pthread_exit leaves all calls at once, with another result.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void deep(int n)
{
    if (n == 0)
        pthread_exit((void *)8L);
    deep(n - 1);
    assert(0);
}

void *worker(void *arg)
{
    deep(3);
    return 0;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, &result);
    assert((long)result == 7);
    return 0;
}
