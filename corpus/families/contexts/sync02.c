// [ESBMC Table 2] A cell between two threads: one fills it N times, the other empties it N times, and each waits for the
// other by a condition variable. The wrong one fills without waiting; the silent one does not say that the cell is empty
// again, and the other waits for ever.
// expect: SAFE assert,deadlock for N in 1,2 with --unwind 2
// expect: UNSAFE assert for N in 2,3,20 with -DWRONG
// expect: UNSAFE deadlock for N in 2,3,20 with -DSILENT
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
int full;

void *fill(void *unused)
{
    for (int k = 0; k < N; k++) {
        pthread_mutex_lock(&lock);
#ifndef WRONG
        while (full)
            pthread_cond_wait(&emptied, &lock);
#endif
        assert(!full);
        full = 1;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

void *empty(void *unused)
{
    for (int k = 0; k < N; k++) {
        pthread_mutex_lock(&lock);
        while (!full)
            pthread_cond_wait(&filled, &lock);
        assert(full);
        full = 0;
#ifndef SILENT
        pthread_cond_signal(&emptied);
#endif
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, fill, 0);
    pthread_create(&u, 0, empty, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
