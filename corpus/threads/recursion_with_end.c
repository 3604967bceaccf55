// expect: SAFE
// Each thread has its own stack.
#include <assert.h>
#include <pthread.h>

int depth_of[2];

void descend(int *depth, int n)
{
    if (n > 0) {
        (*depth)++;
        descend(depth, n - 1);
    }
}

void *worker(void *arg)
{
    descend(arg, 5);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, &depth_of[0]);
    pthread_create(&u, 0, worker, &depth_of[1]);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(depth_of[0] == 5 && depth_of[1] == 5);
    return 0;
}
