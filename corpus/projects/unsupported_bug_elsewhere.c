// expect: UNSAFE assert 13
// A path that ends at something unsupported does not hide what other threads do.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int x;

static void *worker(void *arg)
{
    x = 1;
    x = 2;
    assert(x != 2);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (vfork() > 0)
        x = 3;
    pthread_join(t, 0);
}
