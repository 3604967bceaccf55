// expect: SAFE
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// 64 and 128 bits, halves written by two threads.
#include <assert.h>
#include <pthread.h>

union wide {
    unsigned __int128 whole;
    unsigned long long half[2];
};

union wide u;

void *worker(void *arg)
{
    u.half[1] = 5;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    u.half[0] = ~0ull;
    pthread_join(t, 0);
    u.whole += 1;
    assert(u.half[0] == 0 && u.half[1] == 6);
    return 0;
}
