// expect: SAFE
// Every read-modify-write operation is one step.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint bits;
atomic_int sum, most = 5;

void *one(void *arg)
{
    atomic_fetch_or(&bits, 1);
    atomic_fetch_add(&sum, 2);
    sum -= 1;
    atomic_exchange(&most, 7);
    return 0;
}

void *two(void *arg)
{
    atomic_fetch_or(&bits, 2);
    atomic_fetch_xor(&bits, 4);
    sum++;
    atomic_fetch_sub(&sum, 2);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(bits == 7 && sum == 0 && most == 7);
    return 0;
}
