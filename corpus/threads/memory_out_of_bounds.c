// expect: UNSAFE memory 20
// The index is checked, but it changes before it is used.
#include <pthread.h>

int array[2];
int i;

void *worker(void *arg)
{
    i++;
    return 0;
}

int main(void)
{
    pthread_t t;
    i = 1;
    pthread_create(&t, 0, worker, 0);
    if (i < 2)
        array[i] = 1;
    pthread_join(t, 0);
    return 0;
}
