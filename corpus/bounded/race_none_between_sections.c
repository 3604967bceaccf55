// expect: SAFE
// args: --property race
// engines: explore order refine clock
// Sections are ordered with one another, and what lies behind a flag set in one with what came before.
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int x, data;

void *worker(void *arg)
{
    data = 5;
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t id;
    int set;
    pthread_create(&id, 0, worker, 0);
    __VERIFIER_atomic_begin();
    set = x;
    __VERIFIER_atomic_end();
    return set ? data : 0;
}
