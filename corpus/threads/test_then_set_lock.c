// expect: UNSAFE assert 16
// A lock that tests and sets in two steps.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

int lock, inside;

void *enter(void *arg)
{
    int taken = lock;
    __VERIFIER_assume(!taken);
    lock = 1;
    int met = inside++;
    assert(met == 0);
    inside--;
    lock = 0;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, enter, 0);
    pthread_create(&u, 0, enter, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
