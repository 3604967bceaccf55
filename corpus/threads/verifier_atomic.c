// expect: SAFE
// Sections of the verifier's own.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x;

void *add(void *arg)
{
    __VERIFIER_atomic_begin();
    x = x + 1;
    __VERIFIER_atomic_end();
    return 0;
}

void __VERIFIER_atomic_add(void)
{
    x = x + 1;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    __VERIFIER_atomic_add();
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
