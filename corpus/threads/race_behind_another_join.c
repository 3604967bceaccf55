// expect: UNSAFE race 13|25
// args: --property race
// The write may be over long before the read, with the other thread in between: three switches show the race, while four
// are needed for both accesses in a row.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *writer(void *arg)
{
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

void *idle(void *arg) { return 0; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, idle, 0);
    return pthread_join(b, 0) + x;
}
