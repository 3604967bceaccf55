// expect: SAFE
// Who sees the flag sees the data.
#include <assert.h>
#include <pthread.h>

int data, flag;

void *one(void *arg)
{
    data = 1;
    flag = 1;
    return 0;
}

void *two(void *arg)
{
    int f = flag;
    int d = data;
    assert(!f || d);
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
