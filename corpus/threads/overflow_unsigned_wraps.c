// expect: SAFE
// args: --property default,overflow
// Unsigned numbers wrap around; only signed overflow is an error.
#include <assert.h>
#include <pthread.h>

unsigned x = 0xffffffff;

void *worker(void *arg)
{
    x++;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x <= 1);
    return 0;
}
