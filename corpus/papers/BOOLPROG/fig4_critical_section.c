// expect: SAFE
// [BOOLPROG Fig. 4] A lock protects a global flag, in C and with three threads: Boolean programs (.bp) with threads
// without bound are not an input yet.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

bool g;
pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg)
{
    pthread_mutex_lock(&l);
    assert(!g);
    g = 1;
    g = 0;
    pthread_mutex_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, f, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
