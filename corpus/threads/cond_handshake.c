// expect: SAFE
// engines: lazy record widen auto
// exact
// Two threads hand a turn to each other by a condition variable, five times. Whoever wakes up by itself waits again: that is a state that was
// seen, so no bound on spurious wake-ups is needed.
#include <assert.h>
#include <pthread.h>

enum { ROUNDS = 5 };

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int turn, count;

void *second(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        while (turn != 1)
            pthread_cond_wait(&changed, &mutex);
        count++;
        turn = 0;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, second, 0);
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        while (turn != 0)
            pthread_cond_wait(&changed, &mutex);
        turn = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(t, 0);
    assert(count == ROUNDS);
    return 0;
}
