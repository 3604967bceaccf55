// expect: SAFE
// args: --property race
// engines: explore order refine clock
// The reader waits for the end of the only writer.
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
    pthread_join(id, 0);
    return x;
}
