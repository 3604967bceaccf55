// [DEFUSE Table II] A kernel after radix: one pass of a radix sort of eight keys by two threads.
// BUG 1: ranks are made before all have counted. BUG 2: keys are moved before the ranks of all are made.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 1
#endif

enum { KEYS = 8, DIGITS = 2, THREADS = 2 };
static const int keys[KEYS] = { 1, 0, 1, 1, 0, 0, 1, 0 };
static int counts[THREADS][DIGITS], ranks[THREADS][DIGITS], sorted[KEYS];
static pthread_barrier_t barrier;

static void *worker(void *arg)
{
    int self = (int)(long)arg, first = self * KEYS / THREADS, last = first + KEYS / THREADS;
    for (int i = first; i < last; i++)
        counts[self][keys[i]] = counts[self][keys[i]] + 1;
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
        int at = ranks[self][keys[i]];
        ranks[self][keys[i]] = at + 1;
        sorted[at] = keys[i];
    }
    pthread_barrier_wait(&barrier);
    if (self == 0) {
        int ones = sorted[0];
        for (int i = 1; i < KEYS; i++) {
            assert(sorted[i - 1] <= sorted[i]);
            ones = ones + sorted[i];
        }
        assert(ones == 4);
    }
    return 0;
}

int main(void)
{
    pthread_t t[THREADS];
    pthread_barrier_init(&barrier, 0, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
