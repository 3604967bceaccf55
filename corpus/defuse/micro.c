// [DEFUSE Table II] micro: N threads count in two shared variables without a lock. BUG 0: one after the other.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 1
#endif
#ifndef N
#define N 5
#endif

static int x, y;

static void *worker(void *arg)
{
    x = x + 1;
    y = y + x;
    x = x + y;
    return 0;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++) {
        pthread_create(&t[i], 0, worker, 0);
        if (!BUG)
            pthread_join(t[i], 0);
    }
    for (int i = 0; BUG && i < N; i++)
        pthread_join(t[i], 0);
    // The order violation: workers are meant to run one after the other, so each adds to the work of all before.
    assert(N != 5 || y == 88);
    return 0;
}
