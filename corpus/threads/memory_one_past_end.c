// expect: SAFE
// The address behind an array may be computed, and compared, if nothing is read there.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int array[3];

void *worker(void *arg)
{
    int n = 0;
    for (int *p = array; p != array + 3; p++)
        n++;
    assert(n == 3);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
