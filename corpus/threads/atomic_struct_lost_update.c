// expect: UNSAFE assert 34
// Reading and writing an atomic struct are two operations.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    int low, high;
};

_Atomic struct pair shared;

void *worker(void *arg)
{
    struct pair p = shared;
    p.low++;
    p.high++;
    shared = p;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    struct pair p = shared;
    if (p.low != p.high)
        return 1;
    struct pair again = atomic_load(&shared);
    if (again.low != p.low)
        return 2;
    assert(p.low == 2);
    return 0;
}
