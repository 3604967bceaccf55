// [DEFUSE Table II] A kernel after blackscholes: prices of options in fixed point, two threads; the total is read too early.
#include <assert.h>
#include <pthread.h>

enum { OPTIONS = 4, THREADS = 2 };
static const int spot[OPTIONS] = { 100, 90, 110, 95 }, strike[OPTIONS] = { 95, 100, 105, 90 };
static int prices[OPTIONS], finished, total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int price(int s, int k)
{
    int d = (s - k) * 16 / k;
    int value = s - k + d * d;
    return value > 0 ? value : 0;
}

static void *worker(void *arg)
{
    int self = (int)(long)arg;
    pthread_mutex_lock(&lock);
    finished = finished + 1;
    pthread_mutex_unlock(&lock);
    for (int i = self; i < OPTIONS; i += THREADS)
        prices[i] = price(spot[i], strike[i]);
    return 0;
}

static void *collector(void *arg)
{
    pthread_mutex_lock(&lock);
    int all = finished == THREADS;
    pthread_mutex_unlock(&lock);
    if (all) {
        for (int i = 0; i < OPTIONS; i++)
            total += prices[i];
        // The order violation: a worker counts itself before its work is done.
        assert(total >= 14);
    }
    return 0;
}

int main(void)
{
    pthread_t t[THREADS + 1];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    pthread_create(&t[THREADS], 0, collector, 0);
    for (int i = 0; i <= THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
