// expect: UNSAFE leak 8
// args: --property leak
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg)
{
    return malloc(4);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
