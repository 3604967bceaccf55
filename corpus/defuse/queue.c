// [DEFUSE Table II] queue: a bounded queue; the consumer looks at the count before it takes the lock. BUG 0: under the lock.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 1
#endif

enum { SIZE = 2 };
static int items[SIZE], count, head, tail;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
extern int __VERIFIER_nondet_int(void);

static void *producer(void *arg)
{
    int rounds = __VERIFIER_nondet_int();
    for (int i = 0; i < 2; i++) {
        if (i >= rounds)
            break;
        pthread_mutex_lock(&lock);
        if (count < SIZE) {
            items[tail] = i + 1;
            tail = (tail + 1) % SIZE;
            count++;
        }
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *consumer(void *arg)
{
    int seen = 0;
    if (BUG)
        seen = count;
    pthread_mutex_lock(&lock);
    if (!BUG)
        seen = count;
    if (seen > 0) {
        assert(items[head] == head + 1);
        head = (head + 1) % SIZE;
        count--;
    }
    // The order violation: what is here was not there when the count was read.
    if (seen == 0)
        assert(count == 0);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
