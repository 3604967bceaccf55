// expect: SAFE
// [ESBMC Fig. 4] The left side of the reachability tree: t1 runs to its end before t2 begins, and the invariant holds.
#include <assert.h>
#include <pthread.h>

int x = 0;

void *t1(void *arg)
{
    x++;
    if (x > 1)
        x--;
    return 0;
}

void *t2(void *arg)
{
    _Bool y;
    x++;
    y = x > 1;
    if (y)
        x--;
    return 0;
}

int main(void)
{
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_join(id1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id2, 0);
    assert(x == 1);
    return 0;
}
