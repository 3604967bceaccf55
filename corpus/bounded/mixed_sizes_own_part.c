// expect: UNSAFE assert 28
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// A word whose low half this thread alone writes, and the high half another.
#include <assert.h>
#include <pthread.h>

union bits {
    unsigned whole;
    unsigned short half[2];
};

union bits u;

void *worker(void *arg)
{
    u.half[1] = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    u.whole = 7;
    unsigned short seen = u.half[0];
    pthread_join(t, 0);
    assert(seen == 0);
    return 0;
}
