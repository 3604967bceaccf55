#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

struct {
    int lock, value;
} q;

void acquire(void)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(q.lock == 0);
    q.lock = 1;
    __VERIFIER_atomic_end();
}

void *worker(void *arg)
{
    acquire();
    q.value += 1;
    q.lock = 0;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    return 0;
}
