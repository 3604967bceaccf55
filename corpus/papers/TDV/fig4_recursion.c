// expect: UNSAFE assert 45
// [TDV Fig. 4] A function that calls itself and starts a thread each time, with the test value a = 1 (the second call sees 0).
#include <assert.h>
#include <pthread.h>

int x = 1, y = 1;

void complexA(void)
{
    x = 11;
}

void complexB(void)
{
    x = 12;
}

void *bar(void *arg)
{
    int b = *(int *)arg;
    y = b;
    if (y > 0) {
        x = x - y;
        y = y - 1;
    } else {
        complexB();
    }
    return 0;
}

void foo(int a)
{
    pthread_t t;
    int one = 1;
    pthread_create(&t, 0, bar, &one);
    x = a;
    if (x > 0) {
        foo(a - 1);
    } else if (y <= 1 && y != 0) {
        x = y - x;
    } else if (y > 10) {
        complexA();
    } else {
        x = x - y;
        assert(0);
    }
    pthread_join(t, 0);
}

int main(void)
{
    foo(1);
    return 0;
}
