// expect: SAFE
// Transfers lock both accounts, in one order: the sum is always the same.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int balance[2] = {5, 5};

void *transfer(void *arg)
{
    pthread_mutex_lock(&lock[0]);
    pthread_mutex_lock(&lock[1]);
    balance[0] -= 3;
    balance[1] += 3;
    pthread_mutex_unlock(&lock[1]);
    pthread_mutex_unlock(&lock[0]);
    return 0;
}

void *audit(void *arg)
{
    pthread_mutex_lock(&lock[0]);
    pthread_mutex_lock(&lock[1]);
    assert(balance[0] + balance[1] == 10);
    pthread_mutex_unlock(&lock[1]);
    pthread_mutex_unlock(&lock[0]);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, transfer, 0);
    pthread_create(&u, 0, audit, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
