// expect: UNSAFE memory 34
// exact
// pthread_exit ends the locals of all calls, not only of the innermost one.
#include <pthread.h>

int *lent;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void leave(int depth)
{
    if (depth == 0)
        pthread_exit(0);
    leave(depth - 1);
}

void *worker(void *arg)
{
    int local = 1;
    pthread_mutex_lock(&m);
    lent = &local;
    pthread_mutex_unlock(&m);
    leave(3);
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
