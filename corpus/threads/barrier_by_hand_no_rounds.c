// expect: UNSAFE deadlock 16|37
// A barrier of hand's making without rounds: a fast thread passes twice, and the slow one waits for ever.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int arrived, phase[2];

void wait_for_all(void)
{
    pthread_mutex_lock(&m);
    if (++arrived == 2)
        pthread_cond_broadcast(&c);
    while (arrived < 2)
        pthread_cond_wait(&c, &m);
    arrived = 0;
    pthread_mutex_unlock(&m);
}

void *work(void *arg)
{
    int me = *(int *)arg;
    for (int i = 1; i <= 2; i++) {
        phase[me] = i;
        wait_for_all();
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    int ids[2] = {0, 1};
    pthread_create(&t, 0, work, &ids[1]);
    work(&ids[0]);
    pthread_join(t, 0);
    return 0;
}
