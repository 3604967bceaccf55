/* Read-write locks of POSIX threads.
 *
 * State, in the user's pthread_rwlock_t: how many read locks there are (DESTROYED after pthread_rwlock_destroy), and the number
 * of the thread that holds it for writing, or 0. All static initialisers leave both zero.
 *
 * A reader gets the lock whenever no writer holds it, also if one waits: POSIX leaves that to the implementation. A thread
 * that asks for a lock that it holds in a way that excludes this waits for ever; POSIX says that it may.
 *
 * Who holds read locks is not kept: unlocking is a violation if the lock is not held at all, or if another thread
 * holds it for writing.
 */

enum { READERS = 0, WRITER = 1 };
enum { DESTROYED = -1 };

int pthread_rwlock_init(int *l, const void *attr)
{
    __heddle_atomic_begin();
    l[READERS] = 0;
    l[WRITER] = 0;
    __heddle_atomic_end();
    return 0;
}

int pthread_rwlock_destroy(int *l)
{
    __heddle_atomic_begin();
    int readers = l[READERS];
    __heddle_check(readers != DESTROYED, "lock", "a read-write lock is destroyed twice");
    __heddle_check(readers == 0 && l[WRITER] == 0, "lock", "a locked read-write lock is destroyed");
    l[READERS] = DESTROYED;
    __heddle_sync("destroy", "other", l);
    __heddle_atomic_end();
    return 0;
}

int pthread_rwlock_rdlock(int *l)
{
    __heddle_atomic_begin();
    int readers = l[READERS];
    int writer = l[WRITER];
    __heddle_await(writer == 0, "readlock", l);
    __heddle_check(readers >= 0, "lock", "a destroyed read-write lock is locked");
    l[READERS] = readers + 1;
    __heddle_sync("hold", "readlock", l);
    __heddle_atomic_end();
    return 0;
}

int pthread_rwlock_wrlock(int *l)
{
    int self = __heddle_self();
    __heddle_atomic_begin();
    int readers = l[READERS];
    int writer = l[WRITER];
    __heddle_await(readers <= 0 && writer == 0, "writelock", l);
    __heddle_check(readers == 0, "lock", "a destroyed read-write lock is locked");
    l[WRITER] = self;
    __heddle_sync("hold", "writelock", l);
    __heddle_atomic_end();
    return 0;
}

static int try_read(int *l, int busy)
{
    int error = 0;
    __heddle_atomic_begin();
    int readers = l[READERS];
    __heddle_check(readers != DESTROYED, "lock", "a destroyed read-write lock is locked");
    if (l[WRITER] == 0) {
        l[READERS] = readers + 1;
        __heddle_sync("hold", "readlock", l);
    } else {
        error = busy;
    }
    __heddle_atomic_end();
    return error;
}

static int try_write(int *l, int busy)
{
    int self = __heddle_self();
    int error = 0;
    __heddle_atomic_begin();
    int readers = l[READERS];
    __heddle_check(readers != DESTROYED, "lock", "a destroyed read-write lock is locked");
    if (readers == 0 && l[WRITER] == 0) {
        l[WRITER] = self;
        __heddle_sync("hold", "writelock", l);
    } else {
        error = busy;
    }
    __heddle_atomic_end();
    return error;
}

int pthread_rwlock_tryrdlock(int *l)
{
    return try_read(l, 16 /* EBUSY */);
}

int pthread_rwlock_trywrlock(int *l)
{
    return try_write(l, 16 /* EBUSY */);
}

/* As for mutexes, time runs out exactly when the lock cannot be had at once. */

int pthread_rwlock_timedrdlock(int *l, const void *abstime)
{
    return try_read(l, 110 /* ETIMEDOUT */);
}

int pthread_rwlock_timedwrlock(int *l, const void *abstime)
{
    return try_write(l, 110 /* ETIMEDOUT */);
}

int pthread_rwlock_clockrdlock(int *l, int clock, const void *abstime)
{
    return try_read(l, 110 /* ETIMEDOUT */);
}

int pthread_rwlock_clockwrlock(int *l, int clock, const void *abstime)
{
    return try_write(l, 110 /* ETIMEDOUT */);
}

int pthread_rwlock_unlock(int *l)
{
    int self = __heddle_self();
    __heddle_atomic_begin();
    int readers = l[READERS];
    int writer = l[WRITER];
    __heddle_check(readers != DESTROYED, "lock", "a destroyed read-write lock is unlocked");
    __heddle_check(readers > 0 || writer != 0, "lock", "a read-write lock is unlocked that is not locked");
    if (writer != 0) {
        __heddle_check(writer == self, "lock", "a read-write lock is unlocked that another thread holds for writing");
        l[WRITER] = 0;
        __heddle_sync("unhold", "writelock", l);
    } else {
        l[READERS] = readers > 0 ? readers - 1 : 0;
        __heddle_sync("unhold", "readlock", l);
    }
    __heddle_atomic_end();
    return 0;
}
