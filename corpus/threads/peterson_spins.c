// expect: SAFE WITHIN steps=60
// args: --max-steps 60
// Peterson's algorithm with its loop: a thread that goes on waiting is cut off, and the verdict says so.
#include <assert.h>
#include <pthread.h>

int flag[2], turn, inside;

void *enter(void *arg)
{
    int me = *(int *)arg, other = 1 - me;
    flag[me] = 1;
    turn = other;
    while (flag[other] && turn == other)
        ;
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
