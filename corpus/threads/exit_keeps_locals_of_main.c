// expect: SAFE
// exact
// exit does not end main's frame: its locals live as long as the process does.
#include <pthread.h>
#include <stdlib.h>

void *thread(void *arg)
{
    int *p = arg;
    *p = 1;
    return 0;
}

int main(void)
{
    int local = 0;
    pthread_t t;
    pthread_create(&t, 0, thread, &local);
    exit(0);
}
