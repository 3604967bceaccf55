// expect: SAFE
// args: --property default,race
// Any thread may join any other.
#include <assert.h>
#include <pthread.h>

pthread_t first;
int x;

void *writer(void *arg)
{
    x = 1;
    return 0;
}

void *joiner(void *arg)
{
    pthread_join(first, 0);
    assert(x == 1);
    return 0;
}

int main(void)
{
    pthread_t second;
    pthread_create(&first, 0, writer, 0);
    pthread_create(&second, 0, joiner, 0);
    pthread_join(second, 0);
    return 0;
}
