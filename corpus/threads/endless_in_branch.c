// expect: SAFE
// exact
// A thread loops for ever on one branch; the others go on and nothing is wrong.
#include <assert.h>
#include <pthread.h>

int x;
int never;
_Bool __VERIFIER_nondet_bool(void);

void *loops(void *arg)
{
    if (__VERIFIER_nondet_bool())
        while (!never)
            ;
    return 0;
}

void *works(void *arg)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, loops, 0);
    pthread_create(&u, 0, works, 0);
    pthread_join(u, 0);
    assert(x == 1);
    return 0;
}
