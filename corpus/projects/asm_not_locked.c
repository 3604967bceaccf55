// expect: UNSAFE assert 17
// Without `lock`, an addition to memory is two accesses.
#include <assert.h>
#include <pthread.h>

static int count;

static void *worker(void *arg)
{
    __asm__ volatile("addl %1, %0" : "+m"(count) : "r"(1));
    return arg;
}

int main(void)
{
    pthread_t t; pthread_create(&t, 0, worker, 0); worker(0); pthread_join(t, 0);
    assert(count == 2);
}
