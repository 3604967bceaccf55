// expect: UNSAFE assert 13
// A violation before an assumption of another thread fails is real, whatever that thread would have done.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

int x;

void *one(void *arg)
{
    x = 1;
    assert(x != 1);
    return 0;
}

void *two(void *arg)
{
    __VERIFIER_assume(0);
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
