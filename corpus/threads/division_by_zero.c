// expect: UNSAFE division 18
#include <pthread.h>

int divisor = 1;

void *worker(void *arg)
{
    divisor--;
    return 0;
}

int main(void)
{
    pthread_t t;
    int x = 4;
    pthread_create(&t, 0, worker, 0);
    if (divisor)
        x /= divisor;
    pthread_join(t, 0);
    return x;
}
