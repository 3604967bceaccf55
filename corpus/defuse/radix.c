// [DEFUSE Table II] A kernel after radix: a radix sort of KEYS keys of two bits by two threads, one pass a bit.
// BUG 1: ranks are made before all have counted. BUG 2: keys are moved before the ranks of all are made. BUG 0: neither.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 1
#endif

#ifndef KEYS
#define KEYS 8
#endif

enum { PASSES = 2, DIGITS = 2, THREADS = 2 };
static int keys[2][KEYS], counts[THREADS][DIGITS], ranks[THREADS][DIGITS];
static pthread_barrier_t barrier;

static void pass(int self, int bit)
{
    int first = self * KEYS / THREADS, last = first + KEYS / THREADS;
    const int *from = keys[bit % 2];
    int *to = keys[1 - bit % 2];
    for (int d = 0; d < DIGITS; d++)
        counts[self][d] = 0;
    for (int i = first; i < last; i++) {
        int digit = from[i] >> bit & 1;
        counts[self][digit] = counts[self][digit] + 1;
    }
    if (BUG != 1)
        pthread_barrier_wait(&barrier);
    if (self == 0) {
        int rank = 0;
        for (int d = 0; d < DIGITS; d++)
            for (int t = 0; t < THREADS; t++) {
                ranks[t][d] = rank;
                rank = rank + counts[t][d];
            }
    }
    if (BUG != 2)
        pthread_barrier_wait(&barrier);
    for (int i = first; i < last; i++) {
        int digit = from[i] >> bit & 1, at = ranks[self][digit];
        ranks[self][digit] = at + 1;
        to[at] = from[i];
    }
    pthread_barrier_wait(&barrier);
}

static void *worker(void *arg)
{
    int self = (int)(long)arg;
    for (int bit = 0; bit < PASSES; bit++)
        pass(self, bit);
    if (self == 0)
        for (int i = 1; i < KEYS; i++)
            assert(keys[PASSES % 2][i - 1] <= keys[PASSES % 2][i]);
    return 0;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < KEYS; i++)
        keys[0][i] = (3 * i + 1) % 4;
    pthread_barrier_init(&barrier, 0, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
