// expect: UNSAFE overflow 20
// args: --property overflow
// The smallest int has no negative.
#include <assert.h>
#include <pthread.h>
#include <limits.h>

int x;

void *worker(void *arg)
{
    x = INT_MIN;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int y = -x;
    pthread_join(t, 0);
    return y > 0;
}
