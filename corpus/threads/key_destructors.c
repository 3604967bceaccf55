// expect: SAFE
// Destructors run at the end of a thread that has a value, in rounds while values are set again; not at the end of the process.
#include <assert.h>
#include <pthread.h>

pthread_key_t a, b;
int calls, exiting;

void on_a(void *value)
{
    assert(pthread_getspecific(a) == 0);
    calls++;
    if (calls == 1)
        pthread_setspecific(b, (void *)2);
}

void on_b(void *value)
{
    assert(value == (void *)2 && calls == 1);
    calls++;
    pthread_setspecific(a, (void *)3);
}

void *returns(void *arg)
{
    pthread_setspecific(a, (void *)1);
    return 0;
}

void *leaves(void *arg)
{
    pthread_setspecific(a, (void *)1);
    pthread_exit(0);
}

void *without(void *arg)
{
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&a, on_a);
    pthread_key_create(&b, on_b);
    pthread_create(&t, 0, returns, 0);
    pthread_join(t, 0);
    assert(calls == 3);
    calls = 0;
    pthread_create(&t, 0, leaves, 0);
    pthread_join(t, 0);
    assert(calls == 3);
    pthread_create(&t, 0, without, 0);
    pthread_join(t, 0);
    assert(calls == 3);
    pthread_setspecific(a, (void *)1);
    return 0;
}
