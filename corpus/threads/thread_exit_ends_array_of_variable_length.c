// expect: UNSAFE memory 28
// exact
// pthread_exit ends arrays of variable length.
#include <pthread.h>

int *lent;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int length = 2;

void *worker(void *arg)
{
    int local[length];
    local[0] = 1;
    pthread_mutex_lock(&m);
    lent = local;
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
