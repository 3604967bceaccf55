// expect: SAFE
// args: --property race
// __sync_synchronize is a seq_cst fence.
#include <pthread.h>

int data;
int flag;

void *writer(void *arg)
{
    data = 1;
    __sync_synchronize();
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int seen = __atomic_load_n(&flag, __ATOMIC_RELAXED);
    __sync_synchronize();
    if (seen == 1)
        data = 2;
    return 0;
}
