// expect: UNSAFE uninit 23
// args: --property uninit
#include <pthread.h>
#include <stdlib.h>

int *block;
int set;

void *worker(void *arg)
{
    set = 1;
    *block = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    block = malloc(sizeof *block);
    pthread_create(&t, 0, worker, 0);
    int x = 0;
    if (set)
        x = *block;
    pthread_join(t, 0);
    return x != 0;
}
