// expect: SAFE
// A lock by test-and-set; waiting is an assumption.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

int lock, inside;

void *enter(void *arg)
{
    int taken = __sync_lock_test_and_set(&lock, 1);
    __VERIFIER_assume(!taken);
    int met = inside++;
    assert(met == 0);
    inside--;
    __sync_lock_release(&lock);
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
