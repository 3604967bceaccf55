// [DEFUSE Table II] stateful: a state machine that two threads advance; the reader trusts a state too early. BUG 0: it waits for state 2.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 1
#endif

static int state, data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *opener(void *arg)
{
    pthread_mutex_lock(&lock);
    state = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    data = 10;
    state = 2;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *reader(void *arg)
{
    pthread_mutex_lock(&lock);
    // The order violation: in state 1 there is no data yet.
    if (BUG ? state != 0 : state == 2)
        assert(data == 10);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, opener, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
