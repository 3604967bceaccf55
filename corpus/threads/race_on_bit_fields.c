// expect: UNSAFE race 13|19
// args: --property race
// Adjacent bit-fields share their storage: writing one reads and writes the other.
#include <assert.h>
#include <pthread.h>

struct {
    unsigned a : 4, b : 4;
} s;

void *one(void *arg)
{
    s.a = 1;
    return 0;
}

void *two(void *arg)
{
    s.b = 2;
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
