// Lamport's fast mutual exclusion for two threads, N rounds each. Waiting is an assumption; a thread that finds another
// one on its way gives this round up. The wrong one does not wait for those who are between the two gates.
// expect: SAFE for N in 1..8
// expect: UNSAFE for N in 1..8 with -DWRONG
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

// Threads are 1 and 2; nobody is 0.
int busy[3], gate_one, gate_two, inside;

void round_of(int me)
{
    busy[me] = 1;
    gate_one = me;
    if (gate_two != 0) {
        busy[me] = 0;
        return;
    }
    gate_two = me;
    if (gate_one != me) {
        busy[me] = 0;
#ifndef WRONG
        int b = busy[3 - me];
        __VERIFIER_assume(!b);
#endif
        if (gate_two != me)
            return;
    }
    int met = inside;
    inside = met + 1;
    assert(met == 0);
    inside = 0;
    gate_two = 0;
    busy[me] = 0;
}

void *enter1(void *unused)
{
    for (int k = 0; k < N; k++)
        round_of(1);
    return 0;
}

void *enter2(void *unused)
{
    for (int k = 0; k < N; k++)
        round_of(2);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, enter1, 0);
    pthread_create(&u, 0, enter2, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
