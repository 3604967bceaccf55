// expect: SAFE
// args: --property uninit
// engines: explore order refine clock
// It is used only where it was set.
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
    int local;
    pthread_create(&id, 0, worker, 0);
    if (x) {
        local = 1;
        return local;
    }
    return 0;
}
