// [ESBMC Table 1] SETTERS threads count under a lock and rely on nobody else counting meanwhile; N others count too. With
// the wrong lock, theirs is another one. In the one that blocks, both kinds take both locks, in opposite orders.
// expect: SAFE assert,deadlock for N in 2,3
// expect: UNSAFE assert for N in 2,3,4,5,6,7 with -DWRONG
// expect: UNSAFE deadlock for N in 2,3,4 with -DNESTED
#include <assert.h>
#include <pthread.h>

#ifndef SETTERS
#define SETTERS 1
#endif

pthread_mutex_t right_lock = PTHREAD_MUTEX_INITIALIZER, wrong_lock = PTHREAD_MUTEX_INITIALIZER;
int counter;

void lock_both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
}

void unlock_both(void)
{
    pthread_mutex_unlock(&right_lock);
    pthread_mutex_unlock(&wrong_lock);
}

void *setter(void *unused)
{
#ifdef NESTED
    lock_both(&right_lock, &wrong_lock);
#else
    pthread_mutex_lock(&right_lock);
#endif
    int before = counter;
    counter = before + 1;
    assert(counter == before + 1);
#ifdef NESTED
    unlock_both();
#else
    pthread_mutex_unlock(&right_lock);
#endif
    return 0;
}

void *other(void *unused)
{
#ifdef NESTED
    lock_both(&wrong_lock, &right_lock);
#elif defined(WRONG)
    pthread_mutex_lock(&wrong_lock);
#else
    pthread_mutex_lock(&right_lock);
#endif
    int before = counter;
    counter = before + 1;
#ifdef NESTED
    unlock_both();
#elif defined(WRONG)
    pthread_mutex_unlock(&wrong_lock);
#else
    pthread_mutex_unlock(&right_lock);
#endif
    return 0;
}

int main(void)
{
    pthread_t setters[SETTERS], others[N];
    for (int k = 0; k < SETTERS; k++)
        pthread_create(&setters[k], 0, setter, 0);
    for (int k = 0; k < N; k++)
        pthread_create(&others[k], 0, other, 0);
    for (int k = 0; k < SETTERS; k++)
        pthread_join(setters[k], 0);
    for (int k = 0; k < N; k++)
        pthread_join(others[k], 0);
    return 0;
}
