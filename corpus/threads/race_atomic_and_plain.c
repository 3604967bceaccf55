// expect: UNSAFE race 11|17
// args: --property race
// An atomic write and a plain read: one side is not enough.
#include <assert.h>
#include <pthread.h>

int x;

void *one(void *arg)
{
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
    return 0;
}

void *two(void *arg)
{
    int r = x;
    assert(r <= 1);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
