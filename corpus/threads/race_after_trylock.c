// expect: UNSAFE race 11|21
// args: --property race
// Who does not get a lock is not ordered behind its holder.
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
