// expect: UNSAFE assert 11
// args: --property assert
// engines: order abstract
// A thread exists before the limit is set.
#include <pthread.h>
void reach_error(void);
int limit;
void *worker(void *unused)
{
    if (limit != 7)
        reach_error();
    return 0;
}
int main(void)
{
    pthread_t t;
    limit = 3;
    pthread_create(&t, 0, worker, 0);
    limit = 7;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
