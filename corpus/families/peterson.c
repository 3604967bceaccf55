// Peterson's algorithm for two threads, N rounds each; waiting is an assumption. The wrong one gives the turn away before
// it says that it is interested.
// expect: SAFE for N in 1..8
// expect: UNSAFE for N in 1..8 with -DWRONG
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

int wants0, wants1, turn, inside;

#define ROUND(MINE, THEIRS, OTHER)                \
    do {                                          \
        BEGIN(MINE, OTHER)                        \
        int busy = THEIRS;                        \
        int whose = turn;                         \
        __VERIFIER_assume(!busy || whose != OTHER); \
        int met = inside;                         \
        inside = met + 1;                         \
        assert(met == 0);                         \
        inside = 0;                               \
        MINE = 0;                                 \
    } while (0)

#ifdef WRONG
#define BEGIN(MINE, OTHER) turn = OTHER; MINE = 1;
#else
#define BEGIN(MINE, OTHER) MINE = 1; turn = OTHER;
#endif

void *enter0(void *unused)
{
    for (int k = 0; k < N; k++)
        ROUND(wants0, wants1, 1);
    return 0;
}

void *enter1(void *unused)
{
    for (int k = 0; k < N; k++)
        ROUND(wants1, wants0, 0);
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
