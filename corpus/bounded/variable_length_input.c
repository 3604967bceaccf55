// expect: SAFE
// exact
// engines: order refine clock lazy record widen
// An array whose length is an input.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

void *worker(void *arg)
{
    *(int *)arg = 1;
    return 0;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 2)
        return 0;
    int cells[n];
    for (int i = 0; i < n; i++)
        cells[i] = 0;
    pthread_t t;
    pthread_create(&t, 0, worker, cells);
    pthread_join(t, 0);
    assert(cells[0] == 1);
    return 0;
}
