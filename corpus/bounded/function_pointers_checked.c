// expect: SAFE
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// A call through a pointer that another thread changes.
#include <assert.h>
#include <pthread.h>

int one(void) { return 1; }
int two(void) { return 2; }

int (*which)(void) = one;

void *changer(void *arg)
{
    which = two;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, changer, 0);
    int a = which(), b = which();
    assert(a <= b);
    pthread_join(t, 0);
    assert(which() == 2);
    return 0;
}
