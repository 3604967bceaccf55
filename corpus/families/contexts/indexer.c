// [ESBMC Table 2] N threads put MESSAGES messages each into one table, at a place computed from the message, or at the next
// free one. Places collide only if there are many threads. Every cell has a lock; the wrong one looks before it locks.
// expect: SAFE assert,memory for N in 2,3 with -DSIZE=16 -DMESSAGES=2
// expect: UNSAFE assert for N in 2,3 with -DWRONG -DSIZE=7 -DMESSAGES=1
#include <assert.h>
#include <pthread.h>

#ifndef SIZE
#define SIZE 128
#endif
#ifndef MESSAGES
#define MESSAGES 4
#endif

pthread_mutex_t lock[SIZE];
int table[SIZE];

/* Whether the cell was free, and has the message now. */
int put(int cell, int message)
{
    int won = 0;
#ifdef WRONG
    int found = table[cell];
#endif
    pthread_mutex_lock(&lock[cell]);
#ifndef WRONG
    int found = table[cell];
#endif
    if (found == 0) {
        table[cell] = message;
        won = 1;
    }
    pthread_mutex_unlock(&lock[cell]);
    return won;
}

void *sender(void *arg)
{
    int own = *(int *)arg;
    for (int k = 1; k <= MESSAGES; k++) {
        int message = k * 11 + own;
        int cell = message * 7 % SIZE;
        while (!put(cell, message))
            cell = (cell + 1) % SIZE;
    }
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    int own[N], full = 0;
    for (int k = 0; k < N; k++) {
        own[k] = k;
        pthread_create(&threads[k], 0, sender, &own[k]);
    }
    for (int k = 0; k < N; k++)
        pthread_join(threads[k], 0);
    for (int k = 0; k < SIZE; k++)
        full += table[k] != 0;
    assert(full == N * MESSAGES);
    return 0;
}
