// expect: UNSAFE lock 9
#include <pthread.h>

pthread_spinlock_t l;

int main(void)
{
    pthread_spin_init(&l, 0);
    pthread_spin_unlock(&l);
    return 0;
}
