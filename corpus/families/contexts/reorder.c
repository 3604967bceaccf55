// [ESBMC Table 1] N setters write a pair of numbers, one after the other; a reader (or READERS of them) must see both or
// none. In the wrong one nothing keeps a reader from looking between the two; in the right one a lock does.
// expect: SAFE for N in 2,3
// expect: UNSAFE for N in 2,3,4,5,9,19 with -DWRONG
#include <assert.h>
#include <pthread.h>

#ifndef READERS
#define READERS 1
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int first, second;

void enter(void)
{
#ifndef WRONG
    pthread_mutex_lock(&lock);
#endif
}

void leave(void)
{
#ifndef WRONG
    pthread_mutex_unlock(&lock);
#endif
}

void *setter(void *unused)
{
    enter();
    first = 1;
    second = -1;
    leave();
    return 0;
}

void *reader(void *unused)
{
    enter();
    int f = first, s = second;
    leave();
    assert(f + s == 0);
    return 0;
}

int main(void)
{
    pthread_t setters[N], readers[READERS];
    for (int k = 0; k < N; k++)
        pthread_create(&setters[k], 0, setter, 0);
    for (int k = 0; k < READERS; k++)
        pthread_create(&readers[k], 0, reader, 0);
    for (int k = 0; k < N; k++)
        pthread_join(setters[k], 0);
    for (int k = 0; k < READERS; k++)
        pthread_join(readers[k], 0);
    return 0;
}
