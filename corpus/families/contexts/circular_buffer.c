// [ESBMC Table 2] A circular buffer of SLOTS slots behind a mutex. One thread stores N numbers, another loads up to N, and
// must load them in their order. The wrong one overwrites what has not been loaded yet, if the buffer is full.
// expect: SAFE assert,memory for N in 2,3,4,8
// expect: UNSAFE assert for N in 4,5,6,8 with -DWRONG
#include <assert.h>
#include <pthread.h>

#ifndef SLOTS
#define SLOTS 3
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int slots[SLOTS];
int first, next, used;

/* Whether there was room. */
int store(int value)
{
#ifndef WRONG
    if (used == SLOTS)
        return 0;
#endif
    slots[next] = value;
    next = (next + 1) % SLOTS;
    used = used + 1;
    return 1;
}

int load(void)
{
    int value = slots[first];
    first = (first + 1) % SLOTS;
    used = used - 1;
    return value;
}

void *sender(void *unused)
{
    int value = 1;
    for (int k = 0; k < N; k++) {
        pthread_mutex_lock(&lock);
        if (store(value))
            value++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *receiver(void *unused)
{
    int expected = 1;
    for (int k = 0; k < N; k++) {
        pthread_mutex_lock(&lock);
        if (used > 0) {
            int value = load();
            assert(value == expected);
            expected++;
        }
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, sender, 0);
    pthread_create(&u, 0, receiver, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
