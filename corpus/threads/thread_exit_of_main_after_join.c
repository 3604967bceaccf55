// expect: SAFE
// exact
// main leaves by pthread_exit when nobody uses its locals any more.
#include <pthread.h>

void *worker(void *arg)
{
    *(int *)arg = 2;
    return 0;
}

int main(void)
{
    int local = 1;
    pthread_t t;
    pthread_create(&t, 0, worker, &local);
    pthread_join(t, 0);
    pthread_exit(0);
}
