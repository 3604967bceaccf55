// expect: UNSAFE assert 31
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// Two threads recurse and count without a lock.
#include <assert.h>
#include <pthread.h>

int count;

void step(int n)
{
    if (n == 0)
        return;
    count++;
    step(n - 1);
}

void *worker(void *arg)
{
    step(2);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(count > 2);
    return 0;
}
