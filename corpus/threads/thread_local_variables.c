// expect: SAFE
#include <assert.h>
#include <pthread.h>

_Thread_local int a = 7;
__thread int b;

void *worker(void *arg)
{
    assert(a == 7 && b == 0);
    a++;
    b++;
    assert(a == 8 && b == 1);
    return &a;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
