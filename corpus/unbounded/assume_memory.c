// expect: SAFE ASSUMING memory
// args: --property assert --assume memory
// engines: abstract
// exact
// The table is read at any index: undefined, unless that is assumed not to happen. What is asserted does not depend on it.
#include <pthread.h>
void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);
int table[4];
void *worker(void *unused)
{
    int mine = table[__VERIFIER_nondet_uint()];
    mine = mine > 3 ? 3 : mine;
    if (mine > 3)
        reach_error();
    return 0;
}
void *writer(void *unused)
{
    table[1] = __VERIFIER_nondet_uint();
    return 0;
}
int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, writer, 0);
    while (1)
        pthread_create(&id, 0, worker, 0);
}
