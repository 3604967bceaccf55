// expect: SAFE
#include <assert.h>
#include <threads.h>
#include <time.h>

mtx_t r, t;

int worker(void *arg)
{
    struct timespec soon = { 1, 0 };
    assert(mtx_trylock(&r) == thrd_busy);
    assert(mtx_timedlock(&t, &soon) == thrd_timedout);
    return 0;
}

int main(void)
{
    thrd_t thread;
    mtx_init(&r, mtx_plain | mtx_recursive);
    mtx_init(&t, mtx_timed);
    mtx_lock(&r);
    mtx_lock(&r);
    mtx_unlock(&r);
    mtx_lock(&t);
    thrd_create(&thread, worker, 0);
    thrd_join(thread, 0);
    mtx_unlock(&r);
    mtx_unlock(&t);
    assert(mtx_trylock(&t) == thrd_success);
    return 0;
}
