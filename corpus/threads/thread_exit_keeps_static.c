// expect: SAFE
// exact
// pthread_exit does not end what is static.
#include <pthread.h>

int *lent;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    static int local = 1;
    pthread_mutex_lock(&m);
    lent = &local;
    pthread_mutex_unlock(&m);
    pthread_exit(0);
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
