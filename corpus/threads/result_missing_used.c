// expect: UNKNOWN inputs
// engines: explore
// The result of a thread that returns none is read.
#include <assert.h>
#include <pthread.h>

void *thread(void *arg)
{
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, &result);
    assert(result == 0);
    return 0;
}
