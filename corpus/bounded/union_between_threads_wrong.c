// expect: UNSAFE assert 27
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// A word that another thread writes byte by byte is seen half-written.
#include <assert.h>
#include <pthread.h>

union bits {
    unsigned short whole;
    unsigned char byte[2];
};

union bits u;

void *worker(void *arg)
{
    u.byte[0] = 0x34;
    u.byte[1] = 0x12;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    unsigned seen = u.whole;
    assert(seen == 0 || seen == 0x1234);
    pthread_join(t, 0);
    return 0;
}
