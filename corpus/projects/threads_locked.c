// expect: SAFE
// args: --threads deposit,deposit,withdraw --teardown audit --property default,race
// quiet
// The same with a lock; one function may run in several threads.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void add(int amount)
{
    pthread_mutex_lock(&lock);
    balance += amount;
    pthread_mutex_unlock(&lock);
}

void deposit(void)
{
    add(5);
}

void withdraw(void)
{
    add(-10);
}

void audit(void)
{
    assert(balance == 0);
}
