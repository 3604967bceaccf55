// expect: SAFE
// args: --property default,leak,race
// Whoever gives up the last reference frees.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    int value;
};

void release(struct object *o)
{
    if (atomic_fetch_sub(&o->references, 1) == 1)
        free(o);
}

void *user(void *arg)
{
    struct object *o = arg;
    assert(o->value == 7);
    release(o);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    struct object *o = malloc(sizeof *o);
    o->references = 2;
    o->value = 7;
    pthread_create(&t, 0, user, o);
    pthread_create(&u, 0, user, o);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
