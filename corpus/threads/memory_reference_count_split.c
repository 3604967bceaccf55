// expect: UNSAFE memory 16|17
// A reference count that is decremented and then read again: both threads see zero, and both free.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
};

void *user(void *arg)
{
    struct object *o = arg;
    o->references--;
    if (o->references == 0)
        free(o);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    struct object *o = malloc(sizeof *o);
    o->references = 2;
    pthread_create(&t, 0, user, o);
    pthread_create(&u, 0, user, o);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
