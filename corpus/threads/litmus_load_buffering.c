// expect: SAFE
// Each thread reads one variable and then writes the other: not both reads see the later write.
#include <assert.h>
#include <pthread.h>

int x, y, r, s;

void *one(void *arg)
{
    r = x;
    y = 1;
    return 0;
}

void *two(void *arg)
{
    s = y;
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(!(r == 1 && s == 1));
    return 0;
}
