// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// Bytes and words of one union, written and read by different threads.
#include <assert.h>
#include <pthread.h>

unsigned char __VERIFIER_nondet_uchar(void);

union bits {
    unsigned whole;
    unsigned char byte[4];
};

union bits u;

void *worker(void *arg)
{
    u.byte[1] = __VERIFIER_nondet_uchar();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    u.byte[0] = 1;
    unsigned seen = u.whole;
    assert((seen & 0xff) == 1 && seen < 0x10000);
    pthread_join(t, 0);
    assert(u.whole >> 8 == u.byte[1]);
    return 0;
}
