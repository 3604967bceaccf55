// expect: SAFE
// args: --property assert,lock,memory,division
// engines: order refine clock
// Members of structs at symbolic places, one owner each.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

struct item {
    char owner;
    int value;
    struct item *peer;
};

struct item items[3];

void *worker(void *arg)
{
    unsigned i = __VERIFIER_nondet_uint() % 3;
    items[i].value = 10 + i;
    items[i].peer = &items[(i + 1) % 3];
    return 0;
}

int main(void)
{
    pthread_t t;
    unsigned i = __VERIFIER_nondet_uint() % 3;
    pthread_create(&t, 0, worker, 0);
    items[i].owner = 7;
    pthread_join(t, 0);
    assert(items[i].owner == 7);
    assert(items[i].value == 0 || items[i].value == 10 + i);
    if (items[i].peer)
        assert(items[i].peer - items == (i + 1) % 3);
    return 0;
}
