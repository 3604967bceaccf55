// Two accounts, a lock each. Transfers in opposite directions take the locks in opposite orders: a deadlock.
// With -DORDERED the lock with the lower address is taken first, and no interleaving deadlocks.
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account accounts[2] = {
    { PTHREAD_MUTEX_INITIALIZER, 100 },
    { PTHREAD_MUTEX_INITIALIZER, 100 },
};

static void transfer(struct account *from, struct account *to, int amount)
{
    struct account *first = from, *second = to;
#ifdef ORDERED
    if (from > to) {
        first = to;
        second = from;
    }
#endif
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *forth(void *unused)
{
    transfer(&accounts[0], &accounts[1], 30);
    return unused;
}

static void *back(void *unused)
{
    transfer(&accounts[1], &accounts[0], 20);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, forth, 0);
    pthread_create(&b, 0, back, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(accounts[0].balance + accounts[1].balance == 200);
    return 0;
}
