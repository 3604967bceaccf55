// expect: UNSAFE assert 31
// args: --property assert
// What one thread does has no meaning here and ends the execution; the other can fail the assertion before. Found by `stress`.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int x;
int *nowhere;

void *writer(void *arg)
{
    x = x ? 2 : 1;
    return 0;
}

void *stray(void *arg)
{
    __VERIFIER_atomic_begin();
    *nowhere = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, stray, 0), pthread_create(&u, 0, writer, 0);
    assert(x != 1);
    return 0;
}
