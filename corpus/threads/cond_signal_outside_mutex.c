// expect: UNSAFE deadlock 22
// The predicate changes without the mutex: the signal can fall between test and wait.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;

void *waker(void *arg)
{
    ready = 1;
    pthread_cond_signal(&c);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, waker, 0);
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
