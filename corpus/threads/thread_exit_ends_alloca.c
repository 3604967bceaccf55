// expect: UNSAFE memory 28
// exact
// pthread_exit ends blocks of alloca.
#include <pthread.h>
#include <alloca.h>

int *lent;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    int *local = alloca(sizeof(int));
    *local = 1;
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
