/* Condition variables of POSIX threads.
 *
 * State, in the user's pthread_cond_t: how many threads wait, and how many of them were woken and have not gone on yet
 * (tokens). A signal makes a token if a thread waits that has none, a broadcast makes one for each; any waiting thread may take
 * a token, as POSIX leaves open which one is woken. A thread that begins to wait lets earlier tokens be consumed first,
 * so it takes no wake-up that was meant for threads that waited before. `waiting` is DESTROYED after pthread_cond_destroy.
 *
 * Waiting is three steps: give up the mutex and begin to wait; be woken; get the mutex again. A wake-up may be spurious.
 *
 * A wait with a time limit runs out of time exactly when there is no token at the moment it is scheduled; the limit itself is not
 * looked at. It may then also be woken spuriously. It never blocks, so that is an arbitrary choice and not an `await`.
 *
 * A recursive mutex that is locked more than once stays locked during a wait: POSIX allows the one implicit unlock not to
 * release it, and no libc does.
 */

/* The mutex, as mutex.c has it. */
enum { OWNER = 0, COUNT = 1, KIND = sizeof(void *) == 8 ? 4 : 3 };
enum { RECURSIVE = 1, ERRORCHECK = 2 };

enum { WAITING = 0, TOKENS = 1 };
enum { DESTROYED = -1 };

int pthread_cond_init(int *c, const void *attr)
{
    __heddle_atomic_begin();
    c[WAITING] = 0;
    c[TOKENS] = 0;
    __heddle_atomic_end();
    return 0;
}

int pthread_cond_destroy(int *c)
{
    __heddle_atomic_begin();
    int waiting = c[WAITING];
    int tokens = c[TOKENS];
    /* Threads that were woken no longer wait as far as POSIX is concerned, so this is allowed, and the memory may be
       freed afterwards: let them go on first, as a libc does. */
    __heddle_await(waiting <= 0 || waiting > tokens, "condition", c);
    __heddle_check(waiting != DESTROYED, "lock", "a condition variable is destroyed twice");
    __heddle_check(waiting == 0, "lock", "a condition variable is destroyed while a thread waits on it");
    c[WAITING] = DESTROYED;
    __heddle_sync("destroy", "condition", c);
    __heddle_atomic_end();
    return 0;
}

int pthread_cond_signal(int *c)
{
    __heddle_atomic_begin();
    int waiting = c[WAITING];
    int tokens = c[TOKENS];
    __heddle_check(waiting != DESTROYED, "lock", "a destroyed condition variable is signalled");
    if (tokens < waiting)
        c[TOKENS] = tokens + 1;
    __heddle_sync("release", "condition", c);
    __heddle_atomic_end();
    return 0;
}

int pthread_cond_broadcast(int *c)
{
    __heddle_atomic_begin();
    int waiting = c[WAITING];
    __heddle_check(waiting != DESTROYED, "lock", "a destroyed condition variable is signalled");
    if (waiting > 0)
        c[TOKENS] = waiting;
    __heddle_sync("release", "condition", c);
    __heddle_atomic_end();
    return 0;
}

/* Gives up the mutex and begins to wait; returns an error if the mutex is not the thread's. */
static int begin_wait(int *c, int *m)
{
    int self = __heddle_self();
    __heddle_atomic_begin();
    int owner = m[OWNER];
    int kind = m[KIND];
    int waiting = c[WAITING];
    if (owner != self && kind == ERRORCHECK) {
        __heddle_atomic_end();
        return 1; /* EPERM */
    }
    __heddle_await(c[TOKENS] == 0, "condition", c);
    __heddle_check(owner == self, "lock", "a thread waits on a condition variable without holding the mutex");
    __heddle_check(waiting != DESTROYED, "lock", "a thread waits on a destroyed condition variable");
    c[WAITING] = waiting + 1;
    if (kind == RECURSIVE && m[COUNT] > 0) {
        m[COUNT] = m[COUNT] - 1;
        __heddle_sync("acquire", "mutex", m);
    } else {
        m[OWNER] = 0;
        __heddle_sync("unhold", "mutex", m);
    }
    __heddle_atomic_end();
    return 0;
}

/* Gets the mutex again. Only a recursive mutex can still be the thread's own. */
static void end_wait(int *m)
{
    int self = __heddle_self();
    __heddle_atomic_begin();
    int owner = m[OWNER];
    __heddle_await(owner <= 0 || owner == self, "mutex", m);
    __heddle_check(owner >= 0, "lock", "a mutex is destroyed that a thread needs again after a wait");
    if (owner == self) {
        m[COUNT] = m[COUNT] + 1;
        __heddle_sync("acquire", "mutex", m);
    } else {
        m[OWNER] = self;
        __heddle_sync("hold", "mutex", m);
    }
    __heddle_atomic_end();
}

int pthread_cond_wait(int *c, int *m)
{
    int error = begin_wait(c, m);
    if (error)
        return error;
    __heddle_atomic_begin();
    int waiting = c[WAITING];
    int tokens = c[TOKENS];
    __heddle_await_spurious(tokens > 0, "condition", c);
    if (tokens > 0) {
        c[TOKENS] = tokens - 1;
        __heddle_sync("acquire", "condition", c);
    }
    c[WAITING] = waiting - 1;
    __heddle_atomic_end();
    end_wait(m);
    return 0;
}

int pthread_cond_timedwait(int *c, int *m, const void *abstime)
{
    int error = begin_wait(c, m);
    if (error)
        return error;
    __heddle_atomic_begin();
    int waiting = c[WAITING];
    int tokens = c[TOKENS];
    if (tokens > 0) {
        c[TOKENS] = tokens - 1;
        __heddle_sync("acquire", "condition", c);
    } else {
        error = __heddle_choose("spurious_wakeup") ? 0 : 110 /* ETIMEDOUT */;
    }
    c[WAITING] = waiting - 1;
    __heddle_atomic_end();
    end_wait(m);
    return error;
}

int pthread_cond_clockwait(int *c, int *m, int clock, const void *abstime)
{
    return pthread_cond_timedwait(c, m, abstime);
}
