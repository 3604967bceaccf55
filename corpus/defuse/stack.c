// [DEFUSE Table II] stack: push and pop under a lock; a pop trusts what it saw of the height before. BUG 0: it looks under the lock.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 1
#endif

enum { SIZE = 3 };
static int cells[SIZE], top;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
extern int __VERIFIER_nondet_int(void);

static void *pusher(void *arg)
{
    int pushes = __VERIFIER_nondet_int();
    if (pushes < 1 || pushes > 2)
        pushes = 1;
    for (int i = 0; i < pushes; i++) {
        pthread_mutex_lock(&lock);
        if (top < SIZE) {
            cells[top] = 5;
            top++;
        }
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *popper(void *arg)
{
    int height = 0;
    if (BUG)
        height = top;
    pthread_mutex_lock(&lock);
    if (!BUG)
        height = top;
    // The order violation: more was pushed meanwhile.
    assert(height == top);
    if (height > 0)
        top = height - 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, pusher, 0);
    pthread_create(&b, 0, popper, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
