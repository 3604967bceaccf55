// [DEFUSE Table II] banking: transfers between accounts with a lock each; a report adds them up while a transfer is on its way.
// BUG 0: the report waits for the transfer.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 1
#endif

enum { ACCOUNTS = 3 };
struct account { pthread_mutex_t lock; int amount; };
static struct account accounts[ACCOUNTS];
static int done, total;
extern int __VERIFIER_nondet_int(void);

static void move(int from, int to, int amount)
{
    pthread_mutex_lock(&accounts[from].lock);
    if (accounts[from].amount >= amount)
        accounts[from].amount -= amount;
    else
        amount = 0;
    pthread_mutex_unlock(&accounts[from].lock);
    pthread_mutex_lock(&accounts[to].lock);
    accounts[to].amount += amount;
    pthread_mutex_unlock(&accounts[to].lock);
}

static void *teller(void *arg)
{
    int amount = __VERIFIER_nondet_int();
    if (amount > 0 && amount < 100)
        move(0, 1, amount);
    done = 1;
    return 0;
}

static void *reporter(void *arg)
{
    int seen = 0;
    for (int i = 0; i < ACCOUNTS; i++) {
        pthread_mutex_lock(&accounts[i].lock);
        seen += accounts[i].amount;
        pthread_mutex_unlock(&accounts[i].lock);
    }
    total = seen;
    // The order violation: a report is made after the transfer, or before it, not in between.
    assert(total == 300);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    for (int i = 0; i < ACCOUNTS; i++)
        accounts[i].amount = 100;
    pthread_create(&a, 0, teller, 0);
    if (!BUG)
        pthread_join(a, 0);
    pthread_create(&b, 0, reporter, 0);
    if (BUG)
        pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
