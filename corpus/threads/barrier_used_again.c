// expect: SAFE
// Rounds do not mix, also if a thread is already at the next one.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t b;
int round_of[2];

void *worker(void *arg)
{
    long me = (long)arg;
    for (int round = 1; round <= 2; round++) {
        round_of[me] = round;
        pthread_barrier_wait(&b);
        assert(round_of[1 - me] == round);
        pthread_barrier_wait(&b);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, worker, (void *)1);
    worker((void *)0);
    pthread_join(t, 0);
    return 0;
}
