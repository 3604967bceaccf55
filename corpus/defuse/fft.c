// [DEFUSE Table II] A kernel after fft: butterflies of POINTS points by two threads, a barrier between the stages.
// BUG 1: no barrier before the last stage. BUG 2: the roots are filled in by one thread while the other uses them. BUG 0: neither.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 1
#endif

#ifndef POINTS
#define POINTS 8
#endif

enum { THREADS = 2 };
static int data[POINTS], roots[POINTS / 2];
static pthread_barrier_t barrier;

static void stage(int self, int half)
{
    for (int i = self * (POINTS / 2 / THREADS); i < (self + 1) * (POINTS / 2 / THREADS); i++) {
        int low = i / half * 2 * half + i % half, high = low + half;
        int root = roots[i % half];
        int a = data[low], b = data[high] * root;
        data[low] = a + b;
        data[high] = a - b;
    }
}

static void *worker(void *arg)
{
    int self = (int)(long)arg;
    if (self == 0)
        for (int i = 0; i < POINTS / 2; i++)
            roots[i] = 1;
    if (BUG != 2)
        pthread_barrier_wait(&barrier);
    for (int half = 1; half < POINTS; half *= 2) {
        stage(self, half);
        if (BUG != 1 || half != POINTS / 4)
            pthread_barrier_wait(&barrier);
    }
    // The first value is the sum of all.
    if (self == 0)
        assert(data[0] == POINTS * (POINTS + 1) / 2);
    return 0;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < POINTS; i++)
        data[i] = i + 1;
    pthread_barrier_init(&barrier, 0, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
