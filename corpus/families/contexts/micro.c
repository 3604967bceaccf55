// [ESBMC Table 1, Fig. 1] THREADS threads of N visible statements each: count up, and down again if that was too far, by
// turns. Each statement is one step, as in the paper's reachability tree, and the test belongs to the statement behind it.
// So the counter exceeds 1 by at most the threads that have still to count down, and is 1 in the end. With the test a
// statement of its own, which the paper's second thread has, two threads can count down for the same excess.
// expect: SAFE for N in 2,4,6,10
// expect: UNSAFE for N in 2,4,6,10 with -DAPART
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif

int x;

void __VERIFIER_atomic_up(void) { x = x + 1; }

#ifdef APART
void __VERIFIER_atomic_down(void) { x = x - 1; }
#else
void __VERIFIER_atomic_down(void)
{
    if (x > 1)
        x = x - 1;
}
#endif

void *counting(void *unused)
{
    for (int k = 0; k < N / 2; k++) {
        __VERIFIER_atomic_up();
#ifdef APART
        _Bool too_far = x > 1;
        if (too_far)
#endif
            __VERIFIER_atomic_down();
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int k = 0; k < THREADS; k++)
        pthread_create(&threads[k], 0, counting, 0);
    for (int k = 0; k < THREADS; k++)
        pthread_join(threads[k], 0);
    assert(x == 1);
    return 0;
}
