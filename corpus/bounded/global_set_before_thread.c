// expect: SAFE
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// A thread that alone writes a global begins with what was there when it started.
#include <assert.h>
#include <pthread.h>

int x = 1, y;

void *worker(void *arg)
{
    assert(x == 5);
    x = x + 1;
    assert(x == 6);
    y = x;
    return 0;
}

int main(void)
{
    pthread_t t;
    x = 5;
    pthread_create(&t, 0, worker, 0);
    assert(x == 5 || x == 6);
    pthread_join(t, 0);
    assert(x == 6 && y == 6);
    return 0;
}
