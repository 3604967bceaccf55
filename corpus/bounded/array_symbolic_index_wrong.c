// expect: UNSAFE assert 24
// args: --property assert,lock,memory,division
// engines: order refine clock
// The flag is set too early, for one of four places.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

int a[4], done[4];

void *writer(void *arg)
{
    unsigned i = __VERIFIER_nondet_uint() % 4;
    done[i] = 1;
    a[i] = i + 10;
    return 0;
}

void *reader(void *arg)
{
    unsigned i = __VERIFIER_nondet_uint() % 4;
    if (done[i])
        assert(a[i] == i + 10);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, reader, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
