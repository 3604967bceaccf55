// expect: SAFE
// A destroyed mutex may be initialised again; a mutex may live on the heap.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
    int balance;
    pthread_mutex_t lock;
};

void *deposit(void *arg)
{
    struct account *a = arg;
    pthread_mutex_lock(&a->lock);
    a->balance += 10;
    pthread_mutex_unlock(&a->lock);
    return 0;
}

int main(void)
{
    struct account *a = malloc(sizeof *a);
    a->balance = 0;
    for (int round = 1; round <= 2; round++) {
        pthread_t t;
        pthread_mutex_init(&a->lock, 0);
        pthread_create(&t, 0, deposit, a);
        deposit(a);
        pthread_join(t, 0);
        assert(a->balance == 20 * round);
        pthread_mutex_destroy(&a->lock);
    }
    free(a);
    return 0;
}
