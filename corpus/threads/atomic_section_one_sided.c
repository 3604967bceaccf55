// expect: UNSAFE assert 22
// The reader has no section: it reads a before and b after the writer.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int a, b;

void *both(void *arg)
{
    __VERIFIER_atomic_begin();
    a++;
    b++;
    __VERIFIER_atomic_end();
    return 0;
}

void *look(void *arg)
{
    assert(a == b);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, both, 0);
    pthread_create(&u, 0, look, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
