// expect: SAFE
#include <assert.h>
#include <threads.h>
#include <time.h>

mtx_t m;
cnd_t c;
tss_t key;
int ready;

int producer(void *arg)
{
    tss_set(key, arg);
    assert(tss_get(key) == arg);
    mtx_lock(&m);
    ready = 1;
    cnd_broadcast(&c);
    mtx_unlock(&m);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    tss_create(&key, 0);
    thrd_create(&t, producer, &m);
    mtx_lock(&m);
    while (!ready)
        cnd_wait(&c, &m);
    mtx_unlock(&m);
    assert(tss_get(key) == 0);
    thrd_join(t, 0);
    cnd_destroy(&c);
    tss_delete(key);
    return 0;
}
