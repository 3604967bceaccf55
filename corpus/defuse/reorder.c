// [DEFUSE Table II] reorder: N setters write two variables in a row; one checker sees them in between.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 2
#endif

static int a, b;

static void *setter(void *arg)
{
    a = 1;
    b = -1;
    return 0;
}

static void *checker(void *arg)
{
    int first = a, second = b;
    // The order violation: both or none.
    assert((first == 0 && second == 0) || (first == 1 && second == -1));
    return 0;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N - 1; i++)
        pthread_create(&t[i], 0, setter, 0);
    pthread_create(&t[N - 1], 0, checker, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
