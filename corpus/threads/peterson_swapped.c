// expect: UNSAFE assert 21
// Peterson's algorithm with its first two statements swapped: both may enter.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

int flag[2], turn, inside;

void *enter(void *arg)
{
    int me = *(int *)arg, other = 1 - me;
    turn = other;
    flag[me] = 1;
    int his_flag = flag[other];
    if (his_flag) {
        int whose = turn;
        __VERIFIER_assume(whose == me);
    }
    int met = inside++;
    assert(met == 0);
    inside--;
    flag[me] = 0;
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
