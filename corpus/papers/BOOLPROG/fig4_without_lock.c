// expect: UNSAFE assert 11
// [BOOLPROG Fig. 4] The same without the lock: what a transition relation that forgets locks would report, here for real.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

bool g;

void *f(void *arg)
{
    assert(!g);
    g = 1;
    g = 0;
    return 0;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, f, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
