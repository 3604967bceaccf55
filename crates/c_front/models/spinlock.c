/* Spin locks of POSIX threads. State, in the user's pthread_spinlock_t: the owner's number, 0 if it is free. */

enum { DESTROYED = -1 };

int pthread_spin_init(volatile int *l, int pshared)
{
    *l = 0;
    return 0;
}

int pthread_spin_destroy(volatile int *l)
{
    __heddle_atomic_begin();
    int owner = *l;
    __heddle_check(owner != DESTROYED, "lock", "a spin lock is destroyed twice");
    __heddle_check(owner == 0, "lock", "a locked spin lock is destroyed");
    *l = DESTROYED;
    __heddle_sync("destroy", "spinlock", l);
    __heddle_atomic_end();
    return 0;
}

int pthread_spin_lock(volatile int *l)
{
    int self = __heddle_self();
    __heddle_atomic_begin();
    int owner = *l;
    __heddle_await(owner <= 0, "spinlock", l);
    __heddle_check(owner == 0, "lock", "a destroyed spin lock is locked");
    *l = self;
    __heddle_sync("hold", "spinlock", l);
    __heddle_atomic_end();
    return 0;
}

int pthread_spin_trylock(volatile int *l)
{
    int self = __heddle_self();
    int error = 0;
    __heddle_atomic_begin();
    int owner = *l;
    __heddle_check(owner != DESTROYED, "lock", "a destroyed spin lock is locked");
    if (owner == 0) {
        *l = self;
        __heddle_sync("hold", "spinlock", l);
    } else {
        error = 16; /* EBUSY */
    }
    __heddle_atomic_end();
    return error;
}

int pthread_spin_unlock(volatile int *l)
{
    int self = __heddle_self();
    __heddle_atomic_begin();
    int owner = *l;
    __heddle_check(owner != DESTROYED, "lock", "a destroyed spin lock is unlocked");
    __heddle_check(owner != 0, "lock", "a spin lock is unlocked that is not locked");
    __heddle_check(owner == self, "lock", "a spin lock is unlocked that another thread holds");
    *l = 0;
    __heddle_sync("unhold", "spinlock", l);
    __heddle_atomic_end();
    return 0;
}
