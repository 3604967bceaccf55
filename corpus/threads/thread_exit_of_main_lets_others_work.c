// expect: UNSAFE assert 11
// After pthread_exit in main the other thread still runs, and its assertion fails.
#include <assert.h>
#include <pthread.h>

int done;

void *worker(void *arg)
{
    done = 1;
    assert(!done);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}
