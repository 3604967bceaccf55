// expect: SAFE
// The old builtins: what they return and what they leave.
#include <assert.h>
#include <pthread.h>

int x, y = 10;

void *one(void *arg)
{
    __sync_fetch_and_add(&x, 1);
    int old = __sync_val_compare_and_swap(&y, 10, 20);
    assert(old == 10 || old == 30);
    return 0;
}

void *two(void *arg)
{
    __sync_add_and_fetch(&x, 1);
    __sync_synchronize();
    __sync_bool_compare_and_swap(&y, 10, 30);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 2 && (y == 20 || y == 30));
    return 0;
}
