// [DEFUSE Table II] A kernel after lu: elimination of a SIZE by SIZE matrix, rows dealt to two threads.
// BUG 1: no barrier after a step. BUG 2: a thread looks at how far the other one is, which may have gone on. BUG 0: neither.
// CONTIGUOUS 0: another deal of rows.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 1
#endif
#ifndef CONTIGUOUS
#define CONTIGUOUS 1
#endif

#ifndef SIZE
#define SIZE 4
#endif

enum { THREADS = 2 };
// min(i, j) + 1: all that is left by elimination is 1.
static int matrix[SIZE][SIZE], steps;
static pthread_barrier_t barrier;

static int owner(int row)
{
    return CONTIGUOUS ? row * THREADS / SIZE : row % THREADS;
}

static void *worker(void *arg)
{
    int self = (int)(long)arg;
    for (int k = 0; k < SIZE - 1; k++) {
        for (int i = k + 1; i < SIZE; i++) {
            if (owner(i) != self)
                continue;
            int factor = matrix[i][k] / matrix[k][k];
            matrix[i][k] = factor;
            for (int j = k + 1; j < SIZE; j++)
                matrix[i][j] = matrix[i][j] - factor * matrix[k][j];
        }
        if (BUG == 2 && self == 0)
            steps = k + 1;
        if (BUG != 1)
            pthread_barrier_wait(&barrier);
        if (BUG == 2 && self == 1 && k == 0)
            // The order violation: the other thread may have gone on.
            assert(steps == 1);
    }
    pthread_barrier_wait(&barrier);
    if (self == 0)
        assert(matrix[SIZE - 1][SIZE - 1] == 1);
    return 0;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            matrix[i][j] = (i < j ? i : j) + 1;
    pthread_barrier_init(&barrier, 0, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
