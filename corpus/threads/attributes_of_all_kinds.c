// expect: SAFE
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    pthread_mutexattr_t m;
    pthread_condattr_t c;
    pthread_rwlockattr_t l;
    pthread_barrierattr_t b;
    pthread_attr_t a;
    struct sched_param param = { 3 };
    int value;
    clockid_t clock;
    pthread_mutexattr_init(&m);
    assert(pthread_mutexattr_settype(&m, 99) == EINVAL);
    assert(pthread_mutexattr_settype(&m, PTHREAD_MUTEX_ERRORCHECK) == 0);
    assert(pthread_mutexattr_setpshared(&m, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_mutexattr_setprotocol(&m, PTHREAD_PRIO_INHERIT) == 0);
    assert(pthread_mutexattr_getpshared(&m, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
    assert(pthread_mutexattr_gettype(&m, &value) == 0 && value == PTHREAD_MUTEX_ERRORCHECK);
    assert(pthread_mutexattr_getprotocol(&m, &value) == 0 && value == PTHREAD_PRIO_INHERIT);
    pthread_condattr_init(&c);
    assert(pthread_condattr_setclock(&c, CLOCK_MONOTONIC) == 0);
    assert(pthread_condattr_getclock(&c, &clock) == 0 && clock == CLOCK_MONOTONIC);
    pthread_rwlockattr_init(&l);
    assert(pthread_rwlockattr_setpshared(&l, 7) == EINVAL);
    pthread_barrierattr_init(&b);
    assert(pthread_barrierattr_getpshared(&b, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
    pthread_attr_init(&a);
    assert(pthread_attr_setschedparam(&a, &param) == 0);
    param.sched_priority = 0;
    assert(pthread_attr_getschedparam(&a, &param) == 0 && param.sched_priority == 3);
    assert(pthread_setconcurrency(4) == 0 && pthread_getconcurrency() == 4);
    assert(sched_yield() == 0 && usleep(1) == 0 && sleep(1) == 0);
    return 0;
}
