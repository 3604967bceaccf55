// expect: SAFE
// args: --property race
// engines: order refine clock
// One thread has the even elements, the other the odd ones.
#include <pthread.h>
unsigned __VERIFIER_nondet_uint(void);

int a[4];

void *worker(void *arg)
{
    a[__VERIFIER_nondet_uint() & 2] = 1;
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    a[__VERIFIER_nondet_uint() & 2 | 1] = 2;
    pthread_join(id, 0);
    return 0;
}
