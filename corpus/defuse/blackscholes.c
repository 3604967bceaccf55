// [DEFUSE Table II] A kernel after blackscholes: prices of options in fixed point, two threads; a worker counts itself as finished too early.
// BUG 0: it counts itself when its work is done.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 1
#endif

enum { OPTIONS = 8, THREADS = 2 };
static const int spot[OPTIONS] = { 100, 90, 110, 95, 80, 120, 101, 99 }, strike[OPTIONS] = { 95, 100, 105, 90, 80, 100, 99, 95 };
// The sum of price(spot[i], strike[i]).
enum { TOTAL = 50 };
static int prices[OPTIONS], finished, total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int price(int s, int k)
{
    int d = (s - k) * 16 / k;
    int value = s - k + d * d;
    return value > 0 ? value : 0;
}

static void finish(void)
{
    pthread_mutex_lock(&lock);
    finished = finished + 1;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
    int self = (int)(long)arg;
    if (BUG)
        finish();
    for (int i = self; i < OPTIONS; i += THREADS)
        prices[i] = price(spot[i], strike[i]);
    if (!BUG)
        finish();
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
        assert(total == TOTAL);
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
