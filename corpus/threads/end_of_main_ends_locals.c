// expect: UNSAFE memory 10
// exact
// Returning from main ends its locals, then the process (C11 5.1.2.2.3): a thread that moves in between must not use them.
#include <pthread.h>

void *thread(void *arg)
{
    int *p = arg;
    // A comment keeps the line.
    *p = 1;
    return 0;
}

int main(void)
{
    int local = 0;
    pthread_t t;
    pthread_create(&t, 0, thread, &local);
    return 0;
}
