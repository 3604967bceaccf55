// A write through a pointer that could be to the thread's own object, before the thread has named that: the object
// has its first value all the same.
// expect: UNSAFE assert 21
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

_Thread_local int own = 5;
int other;
int *lent;

void *lender(void *unused)
{
    int *p = lent;
    if (p)
        *p = 2;
    lent = &own;
    p = lent;
    if (p)
        *p += 1;
    assert(own != 6);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, lender, NULL);
    lent = &other;
    pthread_join(thread, NULL);
    return 0;
}
