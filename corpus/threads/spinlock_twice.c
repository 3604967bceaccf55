// expect: UNSAFE deadlock 10
#include <pthread.h>

pthread_spinlock_t l;

int main(void)
{
    pthread_spin_init(&l, 0);
    pthread_spin_lock(&l);
    pthread_spin_lock(&l);
    return 0;
}
