// expect: SAFE
// args: --property assert
// engines: abstract
// exact
// Any number of threads raise a number with a compare-and-exchange loop: it never falls below what a thread has put there.
#include <pthread.h>
void reach_error(void);
unsigned top;
void *worker(void *unused)
{
    unsigned seen, next;
    do {
        seen = __atomic_load_n(&top, __ATOMIC_SEQ_CST);
        if (seen == ~0u)
            return 0;
        next = seen + 1;
    } while (!__sync_bool_compare_and_swap(&top, seen, next));
    if (__atomic_load_n(&top, __ATOMIC_SEQ_CST) <= seen)
        reach_error();
    return 0;
}
int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
