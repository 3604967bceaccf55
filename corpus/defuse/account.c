// [DEFUSE Table II] account: deposits and withdrawals under a lock; the audit does not wait for the deposit. BUG 0: it does.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 1
#endif

static int balance = 100, deposited, audited;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *deposit(void *arg)
{
    pthread_mutex_lock(&lock);
    balance += 50;
    deposited = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *withdraw(void *arg)
{
    pthread_mutex_lock(&lock);
    balance -= 30;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *audit(void *arg)
{
    pthread_mutex_lock(&lock);
    if (deposited)
        audited = balance;
    else
        audited = balance + 50;
    assert(audited >= 120 && audited <= 150);
    // The order violation: an audit is meant to come after the deposit.
    assert(deposited || balance == 100);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, deposit, 0);
    pthread_create(&t[1], 0, withdraw, 0);
    if (!BUG)
        pthread_join(t[0], 0);
    pthread_create(&t[2], 0, audit, 0);
    for (int i = BUG ? 0 : 1; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
