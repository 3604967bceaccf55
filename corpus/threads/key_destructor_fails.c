// expect: UNSAFE assert 9
#include <assert.h>
#include <pthread.h>

pthread_key_t key;

void destructor(void *value)
{
    assert(value != (void *)5);
}

void *worker(void *arg)
{
    pthread_setspecific(key, (void *)5);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, destructor);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
