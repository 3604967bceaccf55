// expect: UNSAFE assert 27
// args: --threads deposit,withdraw --setup open_account --teardown audit
// Functions run as threads, after one that prepares and before one that checks.
#include <assert.h>
#include <pthread.h>

static int balance;

void open_account(void)
{
    balance = 10;
}

void deposit(void)
{
    balance += 5;
}

void *withdraw(void *arg)
{
    balance -= 5;
    return arg;
}

static void audit(void)
{
    assert(balance == 10);
}
