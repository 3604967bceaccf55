// expect: UNSAFE deadlock 14|24|35
// [ESBMC Fig. 7] What the model of a lock has to find: the owner of each mutex waits for the other one. Here that shows as a
// wait that nobody can end.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
int x;

void *first(void *arg)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return 0;
}

void *second(void *arg)
{
    pthread_mutex_lock(&n);
    x++;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
