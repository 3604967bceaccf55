// expect: SAFE
#include <assert.h>
#include <threads.h>

mtx_t m;
once_flag once = ONCE_FLAG_INIT;
int x, calls;

void init(void)
{
    calls++;
}

int worker(void *arg)
{
    call_once(&once, init);
    assert(calls == 1);
    assert(mtx_lock(&m) == thrd_success);
    x++;
    assert(mtx_unlock(&m) == thrd_success);
    if (arg)
        thrd_exit(-5);
    return 4;
}

int main(void)
{
    thrd_t a, b;
    int result;
    assert(mtx_init(&m, mtx_plain) == thrd_success);
    assert(thrd_create(&a, worker, 0) == thrd_success);
    assert(thrd_create(&b, worker, &x) == thrd_success);
    assert(!thrd_equal(a, b) && !thrd_equal(a, thrd_current()));
    assert(thrd_join(a, &result) == thrd_success && result == 4);
    assert(thrd_join(b, &result) == thrd_success && result == -5);
    assert(thrd_join(b, 0) == thrd_error);
    assert(x == 2);
    mtx_destroy(&m);
    return 0;
}
