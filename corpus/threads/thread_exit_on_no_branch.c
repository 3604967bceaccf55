// expect: SAFE
// exact
// args: --property memory
// The thread never leaves, so its local stays alive until the process ends.
#include <pthread.h>

int *lent;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    int local = 1;
    pthread_mutex_lock(&m);
    lent = &local;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&never);
    pthread_mutex_lock(&never);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    int *pointer = lent;
    pthread_mutex_unlock(&m);
    if (pointer)
        *pointer = 2;
    return 0;
}
