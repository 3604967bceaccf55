// A queue behind a mutex. One thread puts N arbitrary values in, another tries to take N times and must get what was
// put in, in its order. The wrong one takes as soon as something was ever put in; the small one has no room for all N, which
// shows only if nothing is taken before the last one is put in. With WHOLE, each thread locks once, for all it does.
// expect: SAFE for N in 2,3,4,5,10,15,20,30,40,50
// expect: UNSAFE for N in 2,3,4,5,10,15,20,30,40,50 with -DWRONG
// expect: UNSAFE for N in 2,3,4,5,10,15,20,30,40,50 with -DSMALL
// expect: SAFE for N in 2,5,10,20,50 with -DWHOLE
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

#ifdef SMALL
#define ROOM (N - 1)
#else
#define ROOM N
#endif

#ifdef WHOLE
#define LOCK_ALL pthread_mutex_lock(&lock)
#define UNLOCK_ALL pthread_mutex_unlock(&lock)
#define LOCK_ONE
#define UNLOCK_ONE
#else
#define LOCK_ALL
#define UNLOCK_ALL
#define LOCK_ONE pthread_mutex_lock(&lock)
#define UNLOCK_ONE pthread_mutex_unlock(&lock)
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int elements[N], sent[N];
int head, tail, ever;

int something_there(void)
{
#ifdef WRONG
    return ever;
#else
    return head != tail;
#endif
}

void *producer(void *unused)
{
    LOCK_ALL;
    for (int k = 0; k < N; k++) {
        int value = __VERIFIER_nondet_int();
        sent[k] = value;
        LOCK_ONE;
        assert(tail - head < ROOM);
        elements[tail] = value;
        tail = tail + 1;
        ever = 1;
        UNLOCK_ONE;
    }
    UNLOCK_ALL;
    return 0;
}

void *consumer(void *unused)
{
    int next = 0;
    LOCK_ALL;
    for (int k = 0; k < N; k++) {
        LOCK_ONE;
        if (something_there()) {
            int value = elements[head];
            head = head + 1;
            assert(next < tail && value == sent[next]);
            next++;
        }
        UNLOCK_ONE;
    }
    UNLOCK_ALL;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, producer, 0);
    pthread_create(&u, 0, consumer, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
