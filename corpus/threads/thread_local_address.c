// expect: SAFE
// The address of a thread-local variable may be given to another thread; each has its own object.
#include <assert.h>
#include <pthread.h>

_Thread_local int mine = 5;
int *lent;

void *worker(void *arg)
{
    assert(&mine != lent);
    assert(mine == 5);
    *lent = 6;
    return 0;
}

int main(void)
{
    pthread_t t;
    lent = &mine;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(mine == 6);
    return 0;
}
