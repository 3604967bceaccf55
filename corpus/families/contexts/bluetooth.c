// The stopping of a driver: N requests count themselves in, work while the driver runs, and count themselves out; the stop
// waits until all are out. The wrong request looks whether the driver is stopping before it counts itself in, and may
// then work on a driver that has stopped.
// expect: SAFE assert for N in 1,2
// expect: UNSAFE assert for N in 1,2,3,4 with -DWRONG
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

int pending = 1;
int stopping, all_out, stopped;

int __VERIFIER_atomic_count(int by)
{
    pending = pending + by;
    return pending;
}

void count_out(void)
{
    if (__VERIFIER_atomic_count(-1) == 0)
        all_out = 1;
}

/* Whether the driver may be used. */
int count_in(void)
{
#ifdef WRONG
    if (stopping)
        return 0;
    __VERIFIER_atomic_count(1);
    return 1;
#else
    __VERIFIER_atomic_count(1);
    if (stopping) {
        count_out();
        return 0;
    }
    return 1;
#endif
}

void *request(void *unused)
{
    if (count_in()) {
        assert(!stopped);
        count_out();
    }
    return 0;
}

void *stop(void *unused)
{
    stopping = 1;
    count_out();
    __VERIFIER_assume(all_out);
    stopped = 1;
    return 0;
}

int main(void)
{
    pthread_t requests[N], stopper;
    for (int k = 0; k < N; k++)
        pthread_create(&requests[k], 0, request, 0);
    pthread_create(&stopper, 0, stop, 0);
    for (int k = 0; k < N; k++)
        pthread_join(requests[k], 0);
    pthread_join(stopper, 0);
    return 0;
}
