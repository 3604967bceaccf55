// expect: SAFE
// A tree of threads.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int leaves;

void *leaf(void *arg)
{
    pthread_mutex_lock(&m);
    leaves++;
    pthread_mutex_unlock(&m);
    return 0;
}

void *node(void *arg)
{
    pthread_t t;
    pthread_create(&t, 0, leaf, 0);
    leaf(0);
    pthread_join(t, 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, node, 0);
    pthread_join(t, 0);
    assert(leaves == 2);
    return 0;
}
