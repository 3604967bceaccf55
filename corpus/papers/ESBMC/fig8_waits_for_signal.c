// expect: UNSAFE deadlock 13|31
// [ESBMC Fig. 8] What the model of a wait has to find: a signal that comes too early wakes nobody, and the waiting thread
// stays the only one.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void *waits(void *arg)
{
    pthread_mutex_lock(&m);
    // No condition is tested first.
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}

void *signals(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, waits, 0);
    pthread_create(&b, 0, signals, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
