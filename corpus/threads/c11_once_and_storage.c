// expect: SAFE
// call_once runs its function once; tss_set and tss_get are a thread's own.
#include <assert.h>
#include <threads.h>

once_flag flag = ONCE_FLAG_INIT;
tss_t key;
int made;

void make(void)
{
    made++;
    tss_create(&key, 0);
}

int worker(void *arg)
{
    call_once(&flag, make);
    assert(tss_get(key) == 0);
    tss_set(key, arg);
    assert(tss_get(key) == arg);
    return 3;
}

int main(void)
{
    thrd_t t, u;
    int a, b, result;
    thrd_create(&t, worker, &a);
    thrd_create(&u, worker, &b);
    thrd_join(t, &result);
    assert(result == 3);
    thrd_join(u, 0);
    assert(made == 1);
    return 0;
}
