// expect: UNSAFE assert 19
// The argument points to a variable that changes before the thread reads it.
#include <assert.h>
#include <pthread.h>

void *worker(void *arg)
{
    return (void *)(long)*(int *)arg;
}

int main(void)
{
    pthread_t t[2];
    void *result;
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, &i);
    pthread_join(t[0], &result);
    assert(result == (void *)0);
    return 0;
}
