// expect: SAFE
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// A shared pointer points to one of two objects, each written once at most.
#include <assert.h>
#include <pthread.h>

int x, y;
int *p = &x;

void *worker(void *arg)
{
    p = &y;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    *p = 1;
    pthread_join(t, 0);
    assert(x + y == 1);
    return 0;
}
