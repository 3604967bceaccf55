// expect: SAFE
// engines: order refine clock lazy record widen
// What other verifiers call assumptions, assertions and atomic sections.
#include <pthread.h>

int nondet_int(void);
_Bool nondet_bool(void);
void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
int x, y;

void *worker(void *arg)
{
    __CPROVER_atomic_begin();
    x++;
    __CPROVER_atomic_end();
    __ESBMC_atomic_begin();
    y++;
    __ESBMC_atomic_end();
    return 0;
}

int main(void)
{
    int n = nondet_int();
    _Bool b = nondet_bool();
    pthread_t t;
    __CPROVER_assume(n > 0);
    __ESBMC_assume(n < 3);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    __CPROVER_assert(x == 2, "no update of x is lost");
    __ESBMC_assert(y == 2, "no update of y is lost");
    __CPROVER_assert(n == 1 || n == 2, "the assumptions hold");
    __CPROVER_assert(b == 0 || b == 1, "truth has two values");
    return 0;
}
