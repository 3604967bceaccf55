// Two threads count without a lock: an increment can be lost.
#include <assert.h>
#include <pthread.h>

static int counter;

static void *count(void *unused)
{
    counter++;
    return unused;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, 0, count, 0);
    pthread_create(&second, 0, count, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(counter == 2);
    return 0;
}
