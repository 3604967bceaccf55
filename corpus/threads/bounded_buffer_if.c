// expect: UNSAFE assert 30
// A bounded buffer that tests its condition once: after a spurious wake-up it takes what is not there.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
int buffer, count;

void *producer(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&m);
        while (count == 1)
            pthread_cond_wait(&not_full, &m);
        buffer = i;
        count++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *consumer(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&m);
        if (count == 0)
            pthread_cond_wait(&not_empty, &m);
        assert(count == 1);
        assert(buffer == i);
        count--;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, producer, 0);
    pthread_create(&u, 0, consumer, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
