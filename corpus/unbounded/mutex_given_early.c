// expect: UNSAFE assert 14
// args: --property assert
// engines: order abstract
// The mutex is given back before the section is over.
#include <pthread.h>
void reach_error(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside;
void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    inside = inside + 1;
    pthread_mutex_unlock(&m);
    if (inside != 1) reach_error();
    inside = inside - 1;
    return 0;
}
int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
