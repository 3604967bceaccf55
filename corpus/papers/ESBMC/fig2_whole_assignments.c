// expect: UNSAFE assert 37
// [ESBMC Fig. 2] The program of Fig. 1 at the grain of the reachability tree: each assignment is one step, and the
// invariant still fails.
#include <assert.h>
#include <pthread.h>

int x = 0;

void __VERIFIER_atomic_up(void) { x = x + 1; }
void __VERIFIER_atomic_down(void) { x = x - 1; }

void *t1(void *arg)
{
    __VERIFIER_atomic_up();
    if (x > 1)
        __VERIFIER_atomic_down();
    return 0;
}

void *t2(void *arg)
{
    _Bool y;
    __VERIFIER_atomic_up();
    y = x > 1;
    if (y)
        __VERIFIER_atomic_down();
    return 0;
}

int main(void)
{
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    assert(x == 1);
    return 0;
}
