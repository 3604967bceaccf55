// N threads in a ring pass a token on, from semaphore to semaphore; who has it works, alone, and the first thread of all
// waits until it is back. The wrong one passes the token on before it has worked; the last one of the losing ring keeps it.
// expect: SAFE assert,deadlock for N in 2,3,4
// expect: UNSAFE assert for N in 2,3,4,5 with -DWRONG
// expect: UNSAFE deadlock for N in 2,3,4,5 with -DLOSING
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t token[N];
int working;

void pass_on(int own)
{
#ifdef LOSING
    if (own == N - 1)
        return;
#endif
    sem_post(&token[(own + 1) % N]);
}

void work(void)
{
    assert(working == 0);
    working = 1;
    working = 0;
}

void *station(void *arg)
{
    int own = *(int *)arg;
    sem_wait(&token[own]);
#ifdef WRONG
    pass_on(own);
    work();
#else
    work();
    pass_on(own);
#endif
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    int places[N];
    for (int k = 0; k < N; k++)
        sem_init(&token[k], 0, k == 0);
    for (int k = 0; k < N; k++) {
        places[k] = k;
        pthread_create(&threads[k], 0, station, &places[k]);
    }
    for (int k = 0; k < N; k++)
        pthread_join(threads[k], 0);
    sem_wait(&token[0]);
    return 0;
}
