// expect: UNSAFE assert 24
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// An assumption that fails later does not undo what was seen before.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

int x;

void *worker(void *arg)
{
    x = 1;
    __VERIFIER_assume(x == 2);
    x = 3;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(x != 1);
    return 0;
}
