// expect: UNSAFE race 13|21
// args: --property race
// engines: explore order refine clock
// Two indices that nobody knows may be equal.
#include <pthread.h>
unsigned __VERIFIER_nondet_uint(void);

int a[4];

void *worker(void *arg)
{
    unsigned i = __VERIFIER_nondet_uint();
    a[i & 3] = 1;
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    a[__VERIFIER_nondet_uint() & 2] = 2;
    pthread_join(id, 0);
    return 0;
}
