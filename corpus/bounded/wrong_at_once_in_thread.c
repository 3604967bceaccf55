// expect: UNSAFE memory 8
// The same in a thread: a violation is the first that it does.
#include <pthread.h>

void *worker(void *arg)
{
    int a[2] = { 0 };
    a[(long)arg] = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, (void *)2);
    pthread_join(t, 0);
    return 0;
}
