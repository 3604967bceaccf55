// expect: UNSAFE race 14|23
// args: --property race
// engines: explore order refine clock
// A section is ordered with other sections, not with what stands outside of them; it waits for what it races with.
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

int x;

void *worker(void *arg)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(x == 1);
    __VERIFIER_atomic_end();
    return 0;
}
