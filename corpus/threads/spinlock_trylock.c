// expect: SAFE
// A spin lock that is tried: busy while another thread has it.
#include <assert.h>
#include <pthread.h>
#include <errno.h>

pthread_spinlock_t s;
int inside;

void *enter(void *arg)
{
    int error = pthread_spin_trylock(&s);
    assert(error == 0 || error == EBUSY);
    if (error)
        return 0;
    int met = inside++;
    assert(met == 0);
    inside--;
    pthread_spin_unlock(&s);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_spin_init(&s, 0);
    pthread_create(&t, 0, enter, 0);
    pthread_create(&u, 0, enter, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
