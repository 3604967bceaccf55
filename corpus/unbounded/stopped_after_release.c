// expect: UNSAFE assert 21
// args: --property assert
// engines: order abstract
// A thread that an assumption stops has given the lock back before.
#include <pthread.h>
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void reach_error(void);
int busy, count;
_Thread_local int mine;
void *worker(void *unused)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(busy == 0);
    busy = 1;
    __VERIFIER_atomic_end();
    count = count + 1;
    if (count == 2)
        // The second thread comes here only if the first one has given the lock back.
        reach_error();
    busy = 0;
    __VERIFIER_assume(mine);
    return 0;
}
int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
