// expect: SAFE
// args: --property assert
// engines: abstract
// exact
// A thread with a loop that nobody can unwind; after the join it is over.
#include <pthread.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
int working;
void *worker(void *unused)
{
    working = 1;
    while (__VERIFIER_nondet_int())
        working = 1;
    working = 0;
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    if (working)
        reach_error();
    return 0;
}
