/* POSIX semaphores without names. State, in the user's sem_t: the value, DESTROYED after sem_destroy.
 *
 * A thread that waits goes on when the semaphore is destroyed, so destroying one that threads wait on is found as their use
 * of a destroyed one. Waits are not interrupted by signals: there are none.
 */

enum { DESTROYED = -1 };

int *__errno_location(void);

static int fail(int error)
{
    *__errno_location() = error;
    return -1;
}

int sem_init(int *s, int pshared, unsigned value)
{
    if (value > 0x7fffffff)
        return fail(22); /* EINVAL */
    *s = value;
    return 0;
}

int sem_destroy(int *s)
{
    __heddle_atomic_begin();
    __heddle_check(*s != DESTROYED, "lock", "a semaphore is destroyed twice");
    *s = DESTROYED;
    __heddle_sync("destroy", "semaphore", s);
    __heddle_atomic_end();
    return 0;
}

int sem_wait(int *s)
{
    __heddle_atomic_begin();
    int value = *s;
    __heddle_await(value != 0, "semaphore", s);
    __heddle_check(value > 0, "lock", "a thread waits on a destroyed semaphore");
    *s = value - 1;
    __heddle_sync("acquire", "semaphore", s);
    __heddle_atomic_end();
    return 0;
}

/* As for mutexes, time runs out exactly when waiting would be needed. */
static int try_wait(int *s, int error)
{
    __heddle_atomic_begin();
    int value = *s;
    __heddle_check(value != DESTROYED, "lock", "a thread waits on a destroyed semaphore");
    if (value > 0) {
        *s = value - 1;
        __heddle_sync("acquire", "semaphore", s);
        error = 0;
    }
    __heddle_atomic_end();
    return error ? fail(error) : 0;
}

int sem_trywait(int *s)
{
    return try_wait(s, 11 /* EAGAIN */);
}

int sem_timedwait(int *s, const void *abstime)
{
    return try_wait(s, 110 /* ETIMEDOUT */);
}

int sem_clockwait(int *s, int clock, const void *abstime)
{
    return try_wait(s, 110 /* ETIMEDOUT */);
}

int sem_post(int *s)
{
    int full;
    __heddle_atomic_begin();
    int value = *s;
    __heddle_check(value != DESTROYED, "lock", "a destroyed semaphore is posted");
    full = value == 0x7fffffff;
    if (!full) {
        *s = value + 1;
        __heddle_sync("release", "semaphore", s);
    }
    __heddle_atomic_end();
    return full ? fail(75 /* EOVERFLOW */) : 0;
}

int sem_getvalue(int *s, int *value)
{
    __heddle_atomic_begin();
    int now = *s;
    __heddle_check(now != DESTROYED, "lock", "a destroyed semaphore is read");
    __heddle_atomic_end();
    __heddle_put(value, now);
    return 0;
}
