// expect: UNSAFE assert 18
// The bakery without `choosing`: a thread can overtake one that has not written its number yet.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

int choosing[2], number[2], inside;

void *enter(void *arg)
{
    int me = *(int *)arg, other = 1 - me;
    int his = number[other];
    number[me] = his + 1;
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
