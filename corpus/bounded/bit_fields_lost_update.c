// expect: UNSAFE assert 27
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// Neighbouring bit-fields share a unit: one update is lost.
#include <assert.h>
#include <pthread.h>

struct flags {
    unsigned a : 1;
    unsigned b : 1;
};

struct flags f;

void *worker(void *arg)
{
    f.a = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    f.b = 1;
    pthread_join(t, 0);
    assert(f.a && f.b);
    return 0;
}
