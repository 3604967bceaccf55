// expect: SAFE
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int divisor = 1;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    divisor--;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    int x = 4;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    if (divisor)
        x /= divisor;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return x;
}
