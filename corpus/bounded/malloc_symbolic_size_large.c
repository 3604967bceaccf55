// expect: SAFE
// exact
// engines: order refine clock lazy record widen
// Few places of a large block whose size is an input are written.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

unsigned short __VERIFIER_nondet_ushort(void);

int *block;

void *worker(void *arg)
{
    assert(block[0] == 7);
    return 0;
}

int main(void)
{
    unsigned short n = __VERIFIER_nondet_ushort();
    if (n < 100)
        return 0;
    block = malloc(n);
    block[0] = 7;
    block[20] = 8;
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
