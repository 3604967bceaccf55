/* Mutexes of POSIX threads.
 *
 * State, in the user's pthread_mutex_t: the owner's number (0 free, DESTROYED after pthread_mutex_destroy), how many times
 * more a recursive mutex is locked, and the kind. The kind stands where glibc has it, so that its static initialisers
 * for recursive and errorcheck mutexes work; all other initialisers are zero.
 *
 * Which errors are returned and which are violations follows POSIX: what it defines is returned; what it leaves
 * undefined is a violation of `lock`. Locking a default or normal mutex twice blocks for ever, as POSIX asks of a
 * normal one and allows of a default one.
 *
 * Every section tells how it is ordered with others (`sync`), also where that is nothing new because the thread holds the mutex
 * already; one that tells nothing has learnt of others without being ordered behind them.
 *
 * A thread that is blocked has not begun its section: what stands before an `await` counts only once it is passed. So an
 * `await` lets misuse pass too, here a mutex that was destroyed in the meantime, and the check stands behind it.
 *
 * A lock with a time limit runs out of time exactly when the mutex cannot be had at once. As the thread may be scheduled
 * at any time, this covers every moment at which time can run out; the limit itself is not looked at.
 */

enum { OWNER = 0, COUNT = 1, KIND = sizeof(void *) == 8 ? 4 : 3 };
enum { NORMAL = 0, RECURSIVE = 1, ERRORCHECK = 2 };
enum { DESTROYED = -1 };

int pthread_mutex_init(int *m, const int *attr)
{
    /* Whether the mutex was in use cannot be told: new memory holds arbitrary bits. */
    int kind = attr ? *attr & 3 : NORMAL;
    __heddle_atomic_begin();
    m[OWNER] = 0;
    m[COUNT] = 0;
    m[KIND] = kind;
    __heddle_atomic_end();
    return 0;
}

int pthread_mutex_destroy(int *m)
{
    __heddle_atomic_begin();
    int owner = m[OWNER];
    __heddle_check(owner != DESTROYED, "lock", "a mutex is destroyed twice");
    __heddle_check(owner == 0, "lock", "a locked mutex is destroyed");
    m[OWNER] = DESTROYED;
    __heddle_sync("destroy", "mutex", m);
    __heddle_atomic_end();
    return 0;
}

int pthread_mutex_lock(int *m)
{
    int self = __heddle_self();
    __heddle_atomic_begin();
    int owner = m[OWNER];
    if (owner == self) {
        int kind = m[KIND];
        if (kind == RECURSIVE) {
            m[COUNT] = m[COUNT] + 1;
            __heddle_sync("acquire", "mutex", m);
            __heddle_atomic_end();
            return 0;
        }
        if (kind == ERRORCHECK) {
            __heddle_sync("acquire", "mutex", m);
            __heddle_atomic_end();
            return 35; /* EDEADLK */
        }
    }
    __heddle_await(owner <= 0, "mutex", m);
    __heddle_check(owner == 0, "lock", "a destroyed mutex is locked");
    m[OWNER] = self;
    __heddle_sync("hold", "mutex", m);
    __heddle_atomic_end();
    return 0;
}

/* Takes the mutex if that needs no waiting; otherwise the result is `busy`, or EDEADLK where POSIX wants that of a lock. */
static int try_lock(int *m, int busy, int deadlock)
{
    int self = __heddle_self();
    int error = 0;
    __heddle_atomic_begin();
    int owner = m[OWNER];
    __heddle_check(owner != DESTROYED, "lock", "a destroyed mutex is locked");
    if (owner == 0) {
        m[OWNER] = self;
        __heddle_sync("hold", "mutex", m);
    } else {
        error = busy;
        if (owner == self) {
            int kind = m[KIND];
            if (kind == RECURSIVE) {
                m[COUNT] = m[COUNT] + 1;
                __heddle_sync("acquire", "mutex", m);
                error = 0;
            }
            if (kind == ERRORCHECK)
                error = deadlock;
        }
    }
    __heddle_atomic_end();
    return error;
}

int pthread_mutex_trylock(int *m)
{
    return try_lock(m, 16 /* EBUSY */, 16 /* EBUSY */);
}

int pthread_mutex_timedlock(int *m, const void *abstime)
{
    return try_lock(m, 110 /* ETIMEDOUT */, 35 /* EDEADLK */);
}

int pthread_mutex_clocklock(int *m, int clock, const void *abstime)
{
    return try_lock(m, 110 /* ETIMEDOUT */, 35 /* EDEADLK */);
}

int pthread_mutex_unlock(int *m)
{
    int self = __heddle_self();
    __heddle_atomic_begin();
    int owner = m[OWNER];
    int kind = m[KIND];
    if (owner != self) {
        __heddle_check(owner != DESTROYED, "lock", "a destroyed mutex is unlocked");
        if (kind == RECURSIVE || kind == ERRORCHECK) {
            __heddle_atomic_end();
            return 1; /* EPERM */
        }
        __heddle_check(owner != 0, "lock", "a mutex is unlocked that is not locked");
        __heddle_check(owner == self, "lock", "a mutex is unlocked that another thread holds");
    }
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
