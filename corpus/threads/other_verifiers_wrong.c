// expect: UNSAFE assert 21
#include <pthread.h>

int x;

void *worker(void *arg)
{
    int t = x;
    __CPROVER_atomic_begin();
    x = t + 1;
    __CPROVER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    __CPROVER_assert(x == 2, "no update is lost");
    return 0;
}
