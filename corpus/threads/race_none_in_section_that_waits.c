// expect: SAFE
// args: --property race
// The section accesses `x`, but its assumption never holds, so nothing of it ever happens.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

int x, y;

void *waiting(void *unused)
{
    __VERIFIER_atomic_begin();
    x = x * 2;
    __VERIFIER_assume(x != x);
    __VERIFIER_atomic_end();
    return 0;
}

void *reading(void *unused)
{
    y = x;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, waiting, 0);
    pthread_create(&b, 0, reading, 0);
    return 0;
}
