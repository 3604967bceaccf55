// expect: UNSAFE assert 22
// engines: order refine clock lazy
// Threads are started for ever; two of them are enough. A loop whose test is the same in every round counts rounds.
#include <assert.h>
#include <pthread.h>

int users, ready;

void *opening(void *unused)
{
    while (!ready)
        ;
    users = users + 1;
    return 0;
}

void *closing(void *unused)
{
    users = 0;
    ready = 1;
    int seen = users;
    assert(seen == 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, closing, 0);
    while (1)
        pthread_create(&t, 0, opening, 0);
}
