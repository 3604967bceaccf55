// [DEFUSE Table II] lazy: an object is made on first use; one thread uses it before it is complete. BUG 0: the value comes first.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 1
#endif

static int made, value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *maker(void *arg)
{
    pthread_mutex_lock(&lock);
    if (!made) {
        if (!BUG)
            value = 7;
        made = 1;
        pthread_mutex_unlock(&lock);
        if (BUG)
            value = 7;
        return 0;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *user(void *arg)
{
    pthread_mutex_lock(&lock);
    int ready = made;
    pthread_mutex_unlock(&lock);
    // The order violation: `made` comes before the value.
    if (ready)
        assert(value == 7);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, maker, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
