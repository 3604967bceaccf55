// expect: SAFE
// args: --property assert
// engines: abstract
// exact
// Without a lock before the first thread exists, and read only afterwards ([BOOLPROG Remark 1]).
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
    limit = 7;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
