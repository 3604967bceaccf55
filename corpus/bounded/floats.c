// expect: UNSAFE assert 27
// args: --property assert,lock,memory,division
// engines: order refine clock
// A float of another thread, and a sum that is not exact.
#include <assert.h>
#include <pthread.h>

float __VERIFIER_nondet_float(void);
void __VERIFIER_assume(int);

float f = 1.0f;

void *worker(void *arg)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 1.0f && x <= 2.0f);
    f = x;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    float seen = f;
    assert(seen >= 1.0f && seen <= 2.0f);
    assert(seen + 16777216.0f == 16777216.0f || seen + 16777216.0f != 16777218.0f);
    pthread_join(t, 0);
    return 0;
}
