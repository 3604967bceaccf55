// expect: UNSAFE memory 21
// exact
// thrd_exit ends the locals of the thread function.
#include <stdatomic.h>
#include <threads.h>

_Atomic(int *) lent;

int worker(void *arg)
{
    int local = 1;
    lent = &local;
    thrd_exit(3);
}

int main(void)
{
    thrd_t t;
    thrd_create(&t, worker, 0);
    int *pointer = lent;
    if (pointer) *pointer = 2;
    return 0;
}
