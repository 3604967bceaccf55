// expect: UNSAFE assert 20
// A call of reach_error is a failed assertion.
#include <pthread.h>

void reach_error(void);

int x;

void *worker(void *arg)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (x)
        reach_error();
    pthread_join(t, 0);
    return 0;
}
