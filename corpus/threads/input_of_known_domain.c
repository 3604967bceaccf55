// expect: UNSAFE assert 24
// args: --allow-missing --domain choice=0..4
// All given values of an input are tried: 3 is the one that fails.
#include <assert.h>
#include <pthread.h>

int choice(void);

int x;

void *worker(void *arg)
{
    x = choice();
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x != 3);
    return 0;
}
