// expect: UNSAFE assert 26
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;

void *producer(void *arg)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct timespec soon = { 1, 0 };
    pthread_create(&t, 0, producer, 0);
    pthread_mutex_lock(&m);
    if (!ready)
        assert(pthread_cond_timedwait(&c, &m, &soon) == 0);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
