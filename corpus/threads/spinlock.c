// expect: SAFE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_spinlock_t l;
int x;

void *add(void *arg)
{
    pthread_spin_lock(&l);
    x++;
    assert(pthread_spin_trylock(&l) == EBUSY);
    pthread_spin_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(x == 2);
    assert(pthread_spin_trylock(&l) == 0);
    pthread_spin_unlock(&l);
    pthread_spin_destroy(&l);
    return 0;
}
