// expect: SAFE
// Szymanski's algorithm for two threads: an anteroom whose door the last one in closes.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

int state[2], inside;

void *enter(void *arg)
{
    int me = *(int *)arg, other = 1 - me;
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
    if (me == 1) {
        s = state[0];
        __VERIFIER_assume(s < 2);
    }
    int met = inside++;
    assert(met == 0);
    inside--;
    if (me == 0) {
        s = state[1];
        __VERIFIER_assume(s < 2 || s > 3);
    }
    state[me] = 0;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    int ids[2] = {0, 1};
    pthread_create(&t, 0, enter, &ids[0]);
    pthread_create(&u, 0, enter, &ids[1]);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
