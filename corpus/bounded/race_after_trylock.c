// expect: UNKNOWN unsupported
// args: --property race
// engines: order refine clock
// Who does not get a lock knows of its holder and is not ordered behind it: `explore` finds the race of lines 12 and 22.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *worker(void *arg)
{
    x = 1;
    pthread_mutex_lock(&m);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    if (pthread_mutex_trylock(&m) != 0)
        x = 2;
    return 0;
}
