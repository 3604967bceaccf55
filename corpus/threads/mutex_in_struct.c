// expect: SAFE
// args: --property default,race
// Each object has its own mutex.
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t m;
    int balance;
} accounts[2];

void *deposit(void *arg)
{
    struct account *a = arg;
    pthread_mutex_lock(&a->m);
    a->balance += 5;
    pthread_mutex_unlock(&a->m);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 2; i++)
        pthread_mutex_init(&accounts[i].m, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, deposit, &accounts[i % 2]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(accounts[0].balance == 10 && accounts[1].balance == 5);
    return 0;
}
