// expect: SAFE
// args: --property assert,lock,memory,division --data-model ilp32
// engines: explore order refine clock
// A pointer that is copied byte by byte.
#include <assert.h>
#include <pthread.h>

int x = 3;
int *p = &x;

void *worker(void *arg)
{
    int *copy;
    unsigned char *to = (unsigned char *)&copy, *from = (unsigned char *)&p;
    for (unsigned i = 0; i < sizeof p; i++)
        to[i] = from[i];
    *copy = 4;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    p = &x;
    pthread_join(t, 0);
    assert(x == 4);
    return 0;
}
