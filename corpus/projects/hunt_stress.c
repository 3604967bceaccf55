// expect: UNSAFE assert 32
// args: --hunt --property assert
// quiet
// A program written as a stress test: no formula of all its rounds is small, but random schedules lose an increment soon.
#include <assert.h>
#include <pthread.h>

enum { THREADS = 32, ROUNDS = 100 };

static int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 20 != 0)
            pthread_mutex_lock(&mutex);
        counter++;
        if (i % 20 != 0)
            pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(counter == THREADS * ROUNDS);
    return 0;
}
