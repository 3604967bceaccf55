// A thread that waits in a loop for what never comes is no deadlock, and what others do is seen.
// engines: explore lazy record widen
// expect: UNSAFE assert 24
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int go, other;

void *waiting(void *unused)
{
    while (!go) {}
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, waiting, NULL);
    other = 1;
    if (other == 2)
        go = 1;
    assert(other != 1);
    pthread_join(thread, NULL);
    return 0;
}
