// expect: UNSAFE uninit 21|22
// args: --property uninit
// malloc does not initialise; here the thread that should comes too late.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *p;

void *fill(void *arg)
{
    *p = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    p = malloc(sizeof *p);
    pthread_create(&t, 0, fill, 0);
    int v = *p;
    if (v)
        v = 0;
    pthread_join(t, 0);
    return v;
}
