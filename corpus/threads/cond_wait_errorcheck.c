// expect: SAFE
// With an errorcheck mutex that is reported by the result.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void)
{
    struct timespec soon = { 1, 0 };
    assert(pthread_cond_wait(&c, &m) == EPERM);
    assert(pthread_cond_timedwait(&c, &m, &soon) == EPERM);
    return 0;
}
