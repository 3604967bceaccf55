// expect: UNSAFE assert 13
// args: --property assert
// engines: order abstract
// The same without joining.
#include <pthread.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
int active;
void *worker(void *unused)
{
    active = active + 1;
    if (active != 1)
        reach_error();
    active = active - 1;
    return 0;
}
int main(void)
{
    pthread_t t;
    while (__VERIFIER_nondet_int()) {
        pthread_create(&t, 0, worker, 0);
    }
    return 0;
}
