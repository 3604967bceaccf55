// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// A struct copied between threads under a lock.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

struct pair {
    int a, b;
};

struct pair shared = {1, 1};
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *arg)
{
    int v = __VERIFIER_nondet_int();
    struct pair mine = {v, v};
    pthread_mutex_lock(&m);
    shared = mine;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct pair copy;
    pthread_create(&t, 0, writer, 0);
    pthread_mutex_lock(&m);
    copy = shared;
    pthread_mutex_unlock(&m);
    assert(copy.a == copy.b);
    pthread_join(t, 0);
    return 0;
}
