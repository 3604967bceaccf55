// expect: UNSAFE division 19
// The remainder has the same condition as the quotient.
#include <assert.h>
#include <pthread.h>

int size = 2;

void *shrink(void *arg)
{
    size--;
    size--;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, shrink, 0);
    int place = 5 % size;
    assert(place <= 1);
    pthread_join(t, 0);
    return 0;
}
