// expect: SAFE
// [BOOLPROG Fig. 5] Calls as threads with one flag a depth: nothing but the callee can wake the caller, and the sum is exact.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

void __VERIFIER_assume(int);

int p;
bool psi[3];
int sum;

void *f(void *arg);

void call(int argument)
{
    pthread_t t;
    p = argument;
    psi[argument] = 0;
    pthread_create(&t, 0, f, 0);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(psi[argument]);
    psi[argument] = 0;
    __VERIFIER_atomic_end();
}

void *f(void *arg)
{
    int n = p;
    if (n > 0)
        call(n - 1);
    sum += n;
    psi[n] = 1;
    return 0;
}

int main(void)
{
    call(2);
    assert(sum == 3);
    return 0;
}
