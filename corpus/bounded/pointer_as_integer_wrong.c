// expect: UNSAFE assert 28
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// Pointers that are integers for a while, and the order matters.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

int a[4];
int *shared = &a[1];

void *worker(void *arg)
{
    uintptr_t n = (uintptr_t)arg;
    shared = (int *)(n + sizeof(int));
    return 0;
}

int main(void)
{
    pthread_t t;
    uintptr_t n = (uintptr_t)&a[0];
    pthread_create(&t, 0, worker, (void *)(n + sizeof(int)));
    *shared = 5;
    pthread_join(t, 0);
    assert(shared == &a[2]);
    assert(((uintptr_t)shared - n) / sizeof(int) == 2);
    assert(a[1] == 5);
    return 0;
}
