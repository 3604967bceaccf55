// expect: SAFE
// args: --property assert,lock,memory
// engines: abstract
// exact
// Any number of threads in a critical section of a POSIX mutex: one at a time.
#include <pthread.h>
void reach_error(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside;
void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    inside = inside + 1;
    if (inside != 1)
        reach_error();
    inside = inside - 1;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
