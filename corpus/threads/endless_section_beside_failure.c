// expect: UNSAFE assert 33
// exact
// A thread loops for ever in an atomic section; the others go on, and one fails.
#include <assert.h>
#include <pthread.h>

int x;
int never;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

void *loops(void *arg)
{
    __VERIFIER_atomic_begin();
    while (!never)
        ;
    __VERIFIER_atomic_end();
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
    assert(x == 0);
    return 0;
}
