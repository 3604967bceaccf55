// expect: UNSAFE assert 20
// Two reads of one variable see two writes in their order, or the same one twice. Both may see the new values.
#include <assert.h>
#include <pthread.h>

int x;

void *one(void *arg)
{
    x = 1;
    x = 2;
    return 0;
}

void *two(void *arg)
{
    int a = x;
    int b = x;
    assert(a <= b);
    assert(!(a == 1 && b == 2));
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
