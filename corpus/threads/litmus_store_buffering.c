// expect: SAFE
// Each thread writes its own variable and reads the other's: under sequential consistency not both read zero.
#include <assert.h>
#include <pthread.h>

int x, y, r, s;

void *one(void *arg)
{
    x = 1;
    r = y;
    return 0;
}

void *two(void *arg)
{
    y = 1;
    s = x;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(r == 1 || s == 1);
    return 0;
}
