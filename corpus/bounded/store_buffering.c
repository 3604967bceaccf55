// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// Memory is sequentially consistent, also with inputs.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int x, y, r, s;

void *left(void *arg)
{
    x = *(int *)arg;
    r = y;
    return 0;
}

int main(void)
{
    pthread_t t;
    int v = __VERIFIER_nondet_int();
    __VERIFIER_assume(v != 0);
    pthread_create(&t, 0, left, &v);
    y = v;
    s = x;
    pthread_join(t, 0);
    assert(r == v || s == v);
    return 0;
}
