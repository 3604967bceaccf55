// [DEFUSE Table II] arithmetic: two threads build a sum and a product in turns; the second one starts early. BUG 0: it waits for the first.
#include <assert.h>
#include <pthread.h>
#ifndef BUG
#define BUG 1
#endif

static int sum = 1, product = 1, rounds;

static void *adder(void *arg)
{
    for (int i = 1; i <= 3; i++)
        sum = sum + i;
    rounds = rounds + 1;
    return 0;
}

static void *multiplier(void *arg)
{
    for (int i = 1; i <= 3; i++)
        product = product * 2;
    product = product + sum;
    rounds = rounds + 1;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, adder, 0);
    if (!BUG)
        pthread_join(a, 0);
    pthread_create(&b, 0, multiplier, 0);
    if (BUG)
        pthread_join(a, 0);
    pthread_join(b, 0);
    // The order violation: the multiplier is meant to see the complete sum.
    assert(product == 15);
    return 0;
}
