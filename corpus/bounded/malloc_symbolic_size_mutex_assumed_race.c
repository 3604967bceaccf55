// expect: SAFE
// exact
// engines: order refine clock lazy record widen
// args: --property race
// A mutex in a block whose size is an input; the input is assumed to be small.
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

pthread_mutex_t *locks;
int counter;

void *worker(void *arg)
{
    pthread_mutex_lock(&locks[0]);
    counter++;
    pthread_mutex_unlock(&locks[0]);
    return 0;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 1 && n <= 3);
    locks = malloc(n * sizeof(pthread_mutex_t));
    pthread_mutex_init(&locks[0], 0);
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
