// A bank account: N threads deposit, one withdraws what is there. The wrong one looks at the balance before it locks the
// account, and takes what others have taken; in the one that blocks, a transfer and its reversal lock both accounts in
// opposite orders.
// expect: SAFE assert,deadlock for N in 1,2,3
// expect: UNSAFE assert for N in 1,2,3,5 with -DWRONG
// expect: UNSAFE deadlock for N in 1,2,3 with -DNESTED
#include <assert.h>
#include <pthread.h>

pthread_mutex_t account_lock = PTHREAD_MUTEX_INITIALIZER, reserve_lock = PTHREAD_MUTEX_INITIALIZER;
int balance = 10, reserve = 10;

void *deposit(void *unused)
{
    pthread_mutex_lock(&account_lock);
#ifdef NESTED
    pthread_mutex_lock(&reserve_lock);
#endif
    balance = balance + 1;
    reserve = reserve - 1;
#ifdef NESTED
    pthread_mutex_unlock(&reserve_lock);
#endif
    pthread_mutex_unlock(&account_lock);
    return 0;
}

void *withdraw(void *unused)
{
#ifdef WRONG
    int found = balance;
#endif
#ifdef NESTED
    pthread_mutex_lock(&reserve_lock);
#endif
    pthread_mutex_lock(&account_lock);
#ifndef WRONG
    int found = balance;
#endif
    balance = found - 10;
    reserve = reserve + 10;
    assert(balance + reserve == 20);
    pthread_mutex_unlock(&account_lock);
#ifdef NESTED
    pthread_mutex_unlock(&reserve_lock);
#endif
    return 0;
}

int main(void)
{
    pthread_t depositors[N], customer;
    for (int k = 0; k < N; k++)
        pthread_create(&depositors[k], 0, deposit, 0);
    pthread_create(&customer, 0, withdraw, 0);
    for (int k = 0; k < N; k++)
        pthread_join(depositors[k], 0);
    pthread_join(customer, 0);
    assert(balance == N);
    return 0;
}
