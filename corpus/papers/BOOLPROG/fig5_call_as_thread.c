// expect: UNSAFE assert 42
// [BOOLPROG Fig. 5] A recursive call as the creation of a thread: arguments are passed through globals, and the caller
// waits for a flag that the callee sets, and takes it back. All calls share the flag, so the end of the inner call can wake the
// outer caller: the encoding has more executions than the calls it stands for.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

void __VERIFIER_assume(int);

int p;
bool psi;
int sum;

void *f(void *arg);

void call(int argument)
{
    pthread_t t;
    p = argument;
    psi = 0;
    pthread_create(&t, 0, f, 0);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(psi);
    psi = 0;
    __VERIFIER_atomic_end();
}

void *f(void *arg)
{
    int n = p;
    if (n > 0)
        call(n - 1);
    sum += n;
    psi = 1;
    return 0;
}

int main(void)
{
    call(2);
    assert(sum == 3);
    return 0;
}
