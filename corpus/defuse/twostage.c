// [DEFUSE Table II] twostage: writers publish in two stages; a reader between the stages sees one half. N threads.
// BUG 0: the first lock is held over both stages.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 1
#endif
#ifndef N
#define N 3
#endif

static int first, second;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
    pthread_mutex_lock(&a);
    first = 1;
    if (BUG)
        pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    second = first + 1;
    pthread_mutex_unlock(&b);
    if (!BUG)
        pthread_mutex_unlock(&a);
    return 0;
}

static void *reader(void *arg)
{
    pthread_mutex_lock(&a);
    int early = first;
    pthread_mutex_unlock(&a);
    if (early == 0)
        return 0;
    pthread_mutex_lock(&b);
    int late = second;
    pthread_mutex_unlock(&b);
    // The order violation: the second stage belongs to the first.
    assert(late == early + 1);
    return 0;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N - 1; i++)
        pthread_create(&t[i], 0, writer, 0);
    pthread_create(&t[N - 1], 0, reader, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
