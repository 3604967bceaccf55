#include <assert.h>
#include <pthread.h>

int counter;

void *count(void *arg)
{
    counter++;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    counter++;
    pthread_join(t, 0);
    assert(counter == 2);
    return 0;
}
