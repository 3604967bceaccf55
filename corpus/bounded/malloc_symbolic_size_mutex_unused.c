// expect: UNSAFE race 17
// exact
// engines: order refine clock lazy record widen
// args: --property race
// A mutex in a block whose size is an input, and nobody locks it.
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

pthread_mutex_t *locks;
int counter;

void *worker(void *arg)
{
    counter++;
    return 0;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 3)
        return 0;
    locks = malloc(n * sizeof(pthread_mutex_t));
    pthread_mutex_init(&locks[0], 0);
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
