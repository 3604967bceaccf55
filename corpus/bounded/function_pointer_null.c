// expect: UNSAFE memory 22
// args: --property assert,lock,memory,division
// engines: explore order refine clock
// A call through a pointer that another thread takes away.
#include <pthread.h>

int one(void) { return 1; }

int (*which)(void) = one;

void *changer(void *arg)
{
    which = 0;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, changer, 0);
    if (which)
        which();
    pthread_join(t, 0);
    return 0;
}
