// An arithmetic progression: one thread hands over 1 to N, one number at a time, and another adds them up; each waits for
// the other by a semaphore. The wrong one does not wait until a number was taken, and overwrites it.
// expect: SAFE assert,deadlock for N in 2,3,4,5
// expect: UNSAFE assert for N in 2,3,5,10 with -DWRONG
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t given, taken;
int number, total;

void *give(void *unused)
{
    for (int k = 1; k <= N; k++) {
#ifndef WRONG
        sem_wait(&taken);
#endif
        number = k;
        sem_post(&given);
    }
    return 0;
}

void *take(void *unused)
{
    for (int k = 0; k < N; k++) {
        sem_wait(&given);
        total = total + number;
        sem_post(&taken);
    }
    return 0;
}

int main(void)
{
    pthread_t t, u;
    sem_init(&given, 0, 0);
    sem_init(&taken, 0, 1);
    pthread_create(&t, 0, give, 0);
    pthread_create(&u, 0, take, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(total == N * (N + 1) / 2);
    return 0;
}
