// expect: SAFE
// Lamport's bakery for two threads.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

int choosing[2], number[2], inside;

void *enter(void *arg)
{
    int me = *(int *)arg, other = 1 - me;
    choosing[me] = 1;
    int his = number[other];
    number[me] = his + 1;
    choosing[me] = 0;
    int chooses = choosing[other];
    __VERIFIER_assume(!chooses);
    int n = number[other];
    __VERIFIER_assume(n == 0 || his + 1 < n || (his + 1 == n && me < other));
    int met = inside++;
    assert(met == 0);
    inside--;
    number[me] = 0;
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
