// expect: SAFE
// args: --property all
#include <assert.h>
#include <pthread.h>

int x, locked, y;

void *worker(void *arg)
{
    __sync_fetch_and_add(&x, 1);
    __atomic_add_fetch(&x, 1, __ATOMIC_SEQ_CST);
    if (__sync_bool_compare_and_swap(&locked, 0, 1)) {
        y++;
        __sync_lock_release(&locked);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(x == 4 && y >= 1);
    return 0;
}
