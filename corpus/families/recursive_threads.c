// [TDV Fig. 4] A function that starts a thread and calls itself, N deep, as in the paper's Table 2. There a shared variable
// decides whether it calls itself, and the threads can change it; with LOCAL its argument decides, and all N threads exist
// before the assertion. With KEEP the threads leave y alone, and the assertion is out of reach.
// expect: UNSAFE for N in 2,5,10,15,20..80/10 with --unwind {N}
// expect: UNSAFE for N in 2,5,10,15,20..80/10 with -DLOCAL
// expect: SAFE for N in 2,5,10,15,20..80/10 with -DLOCAL -DKEEP
#include <assert.h>
#include <pthread.h>

#ifdef LOCAL
#define DECIDES a
#else
#define DECIDES x
#endif

int x = 1, y = 1, complex_a, complex_b;

void *bar(void *unused)
{
    int b = 1;
    y = b;
    if (y > 0) {
        x = x - y;
#ifndef KEEP
        y = y - 1;
#endif
    } else {
        complex_b = 1;
    }
    return 0;
}

void foo(int a)
{
    pthread_t t;
    pthread_create(&t, 0, bar, 0);
    x = a;
    if (DECIDES > 0) {
        foo(a - 1);
    } else if (y <= 1 && y != 0) {
        x = y - x;
    } else if (y > 10) {
        complex_a = 1;
    } else {
        x = x - y;
        assert(0);
    }
    pthread_join(t, 0);
}

int main(void)
{
    foo(N - 1);
    return 0;
}
