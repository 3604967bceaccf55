// expect: UNSAFE assert 24
// A Boolean input has two values, and both are tried.
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

int x;

void *worker(void *arg)
{
    if (__VERIFIER_nondet_bool())
        x = 1;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 0);
    return 0;
}
