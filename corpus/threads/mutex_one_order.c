// expect: SAFE
// Two mutexes, always taken in the same order.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int from = 10, to;

void *move(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    from--;
    to++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, move, 0);
    move(0);
    pthread_join(t, 0);
    assert(from == 8 && to == 2);
    return 0;
}
