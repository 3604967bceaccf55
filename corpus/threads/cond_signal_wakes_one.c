// expect: UNSAFE deadlock 28
// A signal where a broadcast is needed.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int open;

void *guest(void *arg)
{
    pthread_mutex_lock(&m);
    while (!open)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, guest, 0);
    pthread_create(&b, 0, guest, 0);
    pthread_mutex_lock(&m);
    open = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
