// expect: SAFE
// args: --property default,race
// atomic_flag as a lock that is tried once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag lock = ATOMIC_FLAG_INIT;
int inside;

void *enter(void *arg)
{
    if (!atomic_flag_test_and_set(&lock)) {
        int met = inside++;
        assert(met == 0);
        inside--;
        atomic_flag_clear(&lock);
    }
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
