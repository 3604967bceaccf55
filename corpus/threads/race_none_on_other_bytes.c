// expect: SAFE
// args: --property race
// Different bytes of one word are different objects: no race.
#include <assert.h>
#include <pthread.h>

char word[4];

void *one(void *arg)
{
    word[0] = 1;
    return 0;
}

void *two(void *arg)
{
    word[1] = 2;
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
