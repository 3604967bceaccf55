// expect: UNSAFE race 11|23
// args: --property race
// The builtin that takes the value.
#include <pthread.h>

int data;
int flag;

void *writer(void *arg)
{
    data = 1;
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int seen = 0;
    __atomic_compare_exchange_n(&flag, &seen, 5, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
    if (seen == 1)
        data = 2;
    return 0;
}
