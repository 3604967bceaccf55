// expect: UNSAFE deadlock 17
// exact
// args: --property deadlock
// A thread ends with a spin lock.
#include <pthread.h>

pthread_spinlock_t m;

void *leaves(void *arg)
{
    pthread_spin_lock(&m);
    return 0;
}

void *waits(void *arg)
{
    pthread_spin_lock(&m);
    pthread_spin_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, leaves, 0);
    pthread_create(&u, 0, waits, 0);
    for (;;)
        ;
    return 0;
}
