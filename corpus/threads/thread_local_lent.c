// expect: UNSAFE memory 25
// A thread-local variable that is lent to another thread: the lender may end first.
#include <pthread.h>

_Thread_local int mine;
int *lent;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    lent = &mine;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&lock);
    int *p = lent;
    pthread_mutex_unlock(&lock);
    if (p)
        *p = 1;
    pthread_join(t, 0);
    return 0;
}
