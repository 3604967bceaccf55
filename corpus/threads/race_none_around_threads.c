// expect: SAFE
// args: --property default,race
// What main does before creating and after joining is ordered with the threads.
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *arg)
{
    x++;
    return 0;
}

int main(void)
{
    pthread_t t;
    x = 1;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    x++;
    assert(x == 3);
    return 0;
}
