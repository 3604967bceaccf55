// expect: SAFE
// Dekker's algorithm; a thread whose turn it is not gives way once.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

int wants[2], turn, inside;

void *enter(void *arg)
{
    int me = *(int *)arg, other = 1 - me;
    wants[me] = 1;
    if (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            int whose = turn;
            __VERIFIER_assume(whose == me);
            wants[me] = 1;
        }
        int busy = wants[other];
        __VERIFIER_assume(!busy);
    }
    int met = inside++;
    assert(met == 0);
    inside--;
    turn = other;
    wants[me] = 0;
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
