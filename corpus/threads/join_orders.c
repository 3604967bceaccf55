// expect: SAFE
// args: --property all
// What a thread did happens before its joining: no race.
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *arg)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    x = 2;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(x == 1);
    return 0;
}
