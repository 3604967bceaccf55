// expect: SAFE
// exact
// The ends of functions without return are reached, and nobody uses the results: neither of a call, nor of a call through a pointer, nor
// of a thread.
#include <assert.h>
#include <pthread.h>

int x;

int add(int n)
{
    x += n;
}

void *thread(void *arg)
{
    x++;
}

int early(int n)
{
    if (n > 0)
        return n;
    x++;
}

int main(void)
{
    pthread_t t;
    int (*f)(int) = add;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    add(2);
    f(3);
    early(0);
    assert(x == 7);
    return 0;
}
