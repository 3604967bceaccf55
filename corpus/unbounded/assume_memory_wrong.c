// expect: UNKNOWN limit
// args: --property assert --assume memory
// engines: abstract
// exact
// An assumption about memory hides no violation elsewhere: nothing is proved.
#include <pthread.h>
void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);
int table[4];
void *worker(void *unused)
{
    int mine = table[__VERIFIER_nondet_uint()];
    mine = mine > 4 ? 4 : mine;
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
