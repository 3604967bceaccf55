// expect: UNSAFE memory 8
// exact
// main leaves by pthread_exit: its locals end, the process goes on.
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
    pthread_exit(0);
}
