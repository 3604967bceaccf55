// Two threads, each N times: be one more than the other. Taking turns climbs to 2N + 6, and nothing climbs higher.
// expect: SAFE for N in 2..20
// expect: UNSAFE for N in 2..20 with -DWRONG
#include <assert.h>
#include <pthread.h>

#ifdef WRONG
#define TOP (2 * N + 5)
#else
#define TOP (2 * N + 6)
#endif

int low = 3, high = 6;

void *lift_low(void *unused)
{
    for (int k = 0; k < N; k++)
        low = high + 1;
    return 0;
}

void *lift_high(void *unused)
{
    for (int k = 0; k < N; k++)
        high = low + 1;
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, lift_low, 0);
    pthread_create(&u, 0, lift_high, 0);
    int seen_low = low, seen_high = high;
    assert(seen_low <= TOP && seen_high <= TOP);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
