// expect: UNSAFE assert 24
// [BOOLPROG Fig. 3] The state space of a program that creates threads in a loop, up to the first bad location: one of the
// threads sees the flag that another one set. Boolean programs (.bp) are not an input yet; here the loop has two rounds.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

bool g, h;

void *f(void *arg)
{
    if (!g) {
        g = 1;
        return 0;
    }
    h = 1;
    return 0;
}

void *watch(void *arg)
{
    bool first = g;
    bool second = h;
    assert(!(first && second));
    return 0;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 2; i++)
        pthread_create(&t, 0, f, 0);
    pthread_create(&t, 0, watch, 0);
    pthread_exit(0);
}
