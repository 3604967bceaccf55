// Dekker's algorithm for two threads, N rounds each; waiting is an assumption, and a thread whose turn it is not gives
// way once a round. The wrong one looks at the other before it says that it is interested.
// expect: SAFE for N in 1..8
// expect: UNSAFE for N in 1..8 with -DWRONG
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

int wants[2], turn, inside;

void round_of(int me)
{
    int other = 1 - me;
#ifdef WRONG
    int busy = wants[other];
    wants[me] = 1;
#else
    wants[me] = 1;
    int busy = wants[other];
#endif
    if (busy) {
        if (turn != me) {
            wants[me] = 0;
            int whose = turn;
            __VERIFIER_assume(whose == me);
            wants[me] = 1;
        }
        int still = wants[other];
        __VERIFIER_assume(!still);
    }
    int met = inside;
    inside = met + 1;
    assert(met == 0);
    inside = 0;
    turn = other;
    wants[me] = 0;
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
