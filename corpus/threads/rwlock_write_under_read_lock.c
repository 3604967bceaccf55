// expect: UNSAFE assert 24
// A read lock does not keep other readers out.
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *add(void *arg)
{
    pthread_rwlock_rdlock(&l);
    x++;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
