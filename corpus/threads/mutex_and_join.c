// expect: UNSAFE deadlock 19
// Main joins a thread that waits for a mutex which main holds.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    pthread_join(t, 0);
    pthread_mutex_unlock(&m);
    return 0;
}
