// expect: UNSAFE race 11|19
// args: --property race
// engines: explore order refine clock
// The writer knows what it wrote; its writes race all the same with what others read.
#include <pthread.h>

int x;

void *worker(void *arg)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    int seen = x;
    pthread_join(id, 0);
    return seen;
}
