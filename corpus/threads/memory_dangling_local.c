// expect: UNSAFE memory 17
// A pointer to a local variable of a function that has returned.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *escape(void)
{
    int local = 0;
    int *p = &local;
    return p;
}

void *worker(void *arg)
{
    int *p = escape();
    *p = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
