// [DEFUSE Table II] reorder: N setters write two variables in a row; one checker sees them in between. BUG 0: under a lock.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 1
#endif
#ifndef N
#define N 2
#endif

static int a, b;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *setter(void *arg)
{
    if (!BUG)
        pthread_mutex_lock(&lock);
    a = 1;
    b = -1;
    if (!BUG)
        pthread_mutex_unlock(&lock);
    return 0;
}

static void *checker(void *arg)
{
    if (!BUG)
        pthread_mutex_lock(&lock);
    int first = a, second = b;
    if (!BUG)
        pthread_mutex_unlock(&lock);
    // The order violation: both or none.
    assert((first == 0 && second == 0) || (first == 1 && second == -1));
    return 0;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N - 1; i++)
        pthread_create(&t[i], 0, setter, 0);
    pthread_create(&t[N - 1], 0, checker, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
