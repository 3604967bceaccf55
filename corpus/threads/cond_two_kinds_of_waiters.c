// expect: UNSAFE deadlock 40
// A buffer of one place, one condition variable for both producers and consumers, and signal: the wake-up can go to the wrong
// kind of thread.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int full;

void *put(void *arg)
{
    pthread_mutex_lock(&m);
    while (full)
        pthread_cond_wait(&c, &m);
    full = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

void *get(void *arg)
{
    pthread_mutex_lock(&m);
    while (!full)
        pthread_cond_wait(&c, &m);
    full = 0;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, get, 0);
    pthread_create(&t[1], 0, get, 0);
    pthread_create(&t[2], 0, put, 0);
    pthread_create(&t[3], 0, put, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    return 0;
}
