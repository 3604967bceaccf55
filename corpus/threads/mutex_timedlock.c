// expect: SAFE
// A lock with a time limit gets the mutex or runs out of time, and does get it if nobody holds it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct timespec soon = { 1, 0 };
int x;

void *worker(void *arg)
{
    int error = pthread_mutex_timedlock(&m, &soon);
    assert(error == 0 || error == ETIMEDOUT);
    if (error == 0) {
        x++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    assert(pthread_mutex_timedlock(&m, &soon) == 0);
    pthread_create(&t, 0, worker, 0);
    x++;
    assert(x == 1);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(x == 1 || x == 2);
    return 0;
}
