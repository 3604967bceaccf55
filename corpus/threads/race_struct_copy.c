// expect: UNSAFE race 13|20
// args: --property race
// Copying a struct reads all of it.
#include <assert.h>
#include <pthread.h>

struct pair {
    int a, b;
} shared;

void *one(void *arg)
{
    struct pair copy = shared;
    assert(copy.a == 0);
    return 0;
}

void *two(void *arg)
{
    shared.b = 1;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
