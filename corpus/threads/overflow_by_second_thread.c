// expect: UNSAFE overflow 10
// args: --property overflow
#include <limits.h>
#include <pthread.h>

int x = INT_MAX - 1;

void *add(void *arg)
{
    x++;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    return 0;
}
