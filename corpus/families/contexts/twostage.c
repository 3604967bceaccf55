// [ESBMC Table 1] Setters write in two stages, each under a lock of its own: a value, then its successor. READERS readers
// look at the value and, if it is there, at the successor. The wrong setter starts with the value, so that a reader can
// come between the stages; the right one starts with the successor. In the one that blocks, setters and readers keep the
// first lock while they take the second, in opposite orders.
// expect: SAFE assert,deadlock for N in 2,3
// expect: UNSAFE assert for N in 2,3,4,5,10,20,50,99 with -DWRONG
// expect: UNSAFE deadlock for N in 2,3,4,5 with -DNESTED
#include <assert.h>
#include <pthread.h>

#ifndef READERS
#define READERS 1
#endif

pthread_mutex_t value_lock = PTHREAD_MUTEX_INITIALIZER, successor_lock = PTHREAD_MUTEX_INITIALIZER;
int value, successor;

void set_value(void)
{
    pthread_mutex_lock(&value_lock);
    value = 1;
    pthread_mutex_unlock(&value_lock);
}

void set_successor(void)
{
    pthread_mutex_lock(&successor_lock);
    successor = 2;
    pthread_mutex_unlock(&successor_lock);
}

void *setter(void *unused)
{
#ifdef NESTED
    pthread_mutex_lock(&successor_lock);
    successor = 2;
    set_value();
    pthread_mutex_unlock(&successor_lock);
#elif defined(WRONG)
    set_value();
    set_successor();
#else
    set_successor();
    set_value();
#endif
    return 0;
}

void *reader(void *unused)
{
    pthread_mutex_lock(&value_lock);
    int v = value;
#ifndef NESTED
    pthread_mutex_unlock(&value_lock);
    if (v == 0)
        return 0;
#endif
    pthread_mutex_lock(&successor_lock);
    int s = successor;
    pthread_mutex_unlock(&successor_lock);
#ifdef NESTED
    pthread_mutex_unlock(&value_lock);
#endif
    assert(v == 0 || s == v + 1);
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
