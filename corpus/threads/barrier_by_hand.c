// expect: SAFE WITHIN spurious=2
// A barrier of a mutex and a condition variable that counts its rounds, so it can be used again.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int arrived, round_, phase[2];

void wait_for_all(void)
{
    pthread_mutex_lock(&m);
    int mine = round_;
    if (++arrived == 2) {
        arrived = 0;
        round_++;
        pthread_cond_broadcast(&c);
    }
    while (round_ == mine)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
}

void *work(void *arg)
{
    int me = *(int *)arg;
    for (int i = 1; i <= 2; i++) {
        phase[me] = i;
        wait_for_all();
        assert(phase[1 - me] >= i);
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
