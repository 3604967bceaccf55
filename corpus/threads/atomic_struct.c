// expect: SAFE
// args: --property assert,race
// An atomic struct is read and written whole, by operators and by functions, and that is no race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    int low;
    short high[2];
};

_Atomic struct pair shared;

void *worker(void *arg)
{
    struct pair old = shared, new;
    do {
        new = old;
        new.low++;
        new.high[1]++;
    } while (!atomic_compare_exchange_strong(&shared, &old, new));
    return 0;
}

int main(void)
{
    pthread_t t;
    struct pair seen = { 0 };
    pthread_create(&t, 0, worker, 0);
    seen = shared;
    assert(seen.low == seen.high[1]);
    seen = atomic_load(&shared);
    assert(seen.low == seen.high[1]);
    worker(0);
    pthread_join(t, 0);
    seen = atomic_exchange(&shared, ((struct pair){ 5, { 6, 7 } }));
    assert(seen.low == 2 && seen.high[0] == 0 && seen.high[1] == 2);
    atomic_store(&shared, seen);
    _Atomic struct pair own = shared;
    shared = own;
    __atomic_load(&shared, &seen, __ATOMIC_ACQUIRE);
    assert(seen.high[1] == 2);
    return 0;
}
