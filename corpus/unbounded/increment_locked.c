// expect: SAFE
// args: --property assert
// engines: abstract
// exact
// Any number of threads count under a lock that is a flag: after its own increment a thread sees a larger number.
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
    take();
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
