// expect: UNSAFE memory 20
// The thread-local variables of a thread end with it.
#include <assert.h>
#include <pthread.h>

_Thread_local int mine;
int *lent;

void *worker(void *arg)
{
    lent = &mine;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    *lent = 1;
    return 0;
}
