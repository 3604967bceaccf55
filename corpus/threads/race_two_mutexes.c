// expect: UNSAFE race 12
// args: --property race
// Each access is protected, but not by the same mutex.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&n);
    x = 2;
    pthread_mutex_unlock(&n);
    pthread_join(t, 0);
    return 0;
}
