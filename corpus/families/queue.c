// A queue behind a mutex. One thread puts N arbitrary values in, another tries to take N times and must get what was
// put in, in its order. The wrong one takes as soon as something was ever put in; the small one has no room for all N, which
// shows only if nothing is taken before the last one is put in.
// expect: SAFE for N in 2,3,4,5,10,15,20,30,40,50
// expect: UNSAFE for N in 2,3,4,5,10,15,20,30,40,50 with -DWRONG
// expect: UNSAFE for N in 2,3,4,5,10,15,20,30,40,50 with -DSMALL
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

#ifdef SMALL
#define ROOM (N - 1)
#else
#define ROOM N
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
    for (int k = 0; k < N; k++) {
        int value = __VERIFIER_nondet_int();
        sent[k] = value;
        pthread_mutex_lock(&lock);
        assert(tail - head < ROOM);
        elements[tail] = value;
        tail = tail + 1;
        ever = 1;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *consumer(void *unused)
{
    int next = 0;
    for (int k = 0; k < N; k++) {
        pthread_mutex_lock(&lock);
        if (something_there()) {
            int value = elements[head];
            head = head + 1;
            assert(next < tail && value == sent[next]);
            next++;
        }
        pthread_mutex_unlock(&lock);
    }
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
