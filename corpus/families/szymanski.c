// Szymanski's algorithm for two threads, N rounds each: an anteroom whose door the last one in closes. Waiting is an
// assumption. In the wrong one the second thread does not let the first one go first.
// expect: SAFE for N in 1..8
// expect: UNSAFE for N in 1..8 with -DWRONG
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

int state[2], inside;

void round_of(int me)
{
    int other = 1 - me;
    state[me] = 1;
    int s = state[other];
    __VERIFIER_assume(s < 3);
    state[me] = 3;
    if (state[other] == 1) {
        state[me] = 2;
        s = state[other];
        __VERIFIER_assume(s == 4);
    }
    state[me] = 4;
#ifndef WRONG
    if (me == 1) {
        s = state[0];
        __VERIFIER_assume(s < 2);
    }
#endif
    int met = inside;
    inside = met + 1;
    assert(met == 0);
    inside = 0;
    if (me == 0) {
        s = state[1];
        __VERIFIER_assume(s < 2 || s > 3);
    }
    state[me] = 0;
}

void *enter0(void *unused)
{
    for (int k = 0; k < N; k++)
        round_of(0);
    return 0;
}

void *enter1(void *unused)
{
    for (int k = 0; k < N; k++)
        round_of(1);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, enter0, 0);
    pthread_create(&u, 0, enter1, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
