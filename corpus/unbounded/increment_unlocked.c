// expect: UNSAFE assert 33
// args: --property assert
// engines: order abstract
// The same without taking the lock.
#include <pthread.h>
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void reach_error(void);
unsigned value, busy;
static void take(void)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(busy == 0);
    busy = 1;
    __VERIFIER_atomic_end();
}
static void give(void)
{
    busy = 0;
}
void *worker(void *unused)
{
    (void)take;
    unsigned seen = value;
    if (seen == ~0u) {
        give();
        return 0;
    }
    value = seen + 1;
    give();
    if (value <= seen)
        reach_error();
    return 0;
}
int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
