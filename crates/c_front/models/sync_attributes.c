/* Attributes of mutexes, condition variables, read-write locks and barriers. Most of these types are one integer wide, so all is kept in the
   bits of the first: a mutex's kind in the lowest two (pthread_mutex_init reads it), the rest stored only to be
   read back. Robust mutexes are not supported, so setting that has no model. */

static int set(int *a, int shift, int mask, int value)
{
    if (value < 0 || value > mask)
        return 22; /* EINVAL */
    *a = (*a & ~(mask << shift)) | value << shift;
    return 0;
}

static int get(const int *a, int shift, int mask, int *value)
{
    *value = *a >> shift & mask;
    return 0;
}

int pthread_mutexattr_init(int *a)
{
    *a = 0;
    return 0;
}

int pthread_mutexattr_destroy(int *a)
{
    return 0;
}

int pthread_mutexattr_settype(int *a, int kind)
{
    return set(a, 0, 3, kind);
}

int pthread_mutexattr_gettype(const int *a, int *kind)
{
    return get(a, 0, 3, kind);
}

int pthread_mutexattr_setpshared(int *a, int shared)
{
    return set(a, 2, 1, shared);
}

int pthread_mutexattr_getpshared(const int *a, int *shared)
{
    return get(a, 2, 1, shared);
}

int pthread_mutexattr_setprotocol(int *a, int protocol)
{
    if (protocol == 3)
        return 22; /* EINVAL */
    return set(a, 4, 3, protocol);
}

int pthread_mutexattr_getprotocol(const int *a, int *protocol)
{
    return get(a, 4, 3, protocol);
}

int pthread_mutexattr_setprioceiling(int *a, int ceiling)
{
    return set(a, 8, 255, ceiling);
}

int pthread_mutexattr_getprioceiling(const int *a, int *ceiling)
{
    return get(a, 8, 255, ceiling);
}

int pthread_condattr_init(int *a)
{
    *a = 0;
    return 0;
}

int pthread_condattr_destroy(int *a)
{
    return 0;
}

int pthread_condattr_setclock(int *a, int clock)
{
    return set(a, 1, 1, clock);
}

int pthread_condattr_getclock(const int *a, int *clock)
{
    return get(a, 1, 1, clock);
}

int pthread_condattr_setpshared(int *a, int shared)
{
    return set(a, 0, 1, shared);
}

int pthread_condattr_getpshared(const int *a, int *shared)
{
    return get(a, 0, 1, shared);
}

int pthread_rwlockattr_init(int *a)
{
    *a = 0;
    return 0;
}

int pthread_rwlockattr_destroy(int *a)
{
    return 0;
}

int pthread_rwlockattr_setpshared(int *a, int shared)
{
    return set(a, 0, 1, shared);
}

int pthread_rwlockattr_getpshared(const int *a, int *shared)
{
    return get(a, 0, 1, shared);
}

int pthread_rwlockattr_setkind_np(int *a, int kind)
{
    return kind == 3 ? 22 /* EINVAL */ : set(a, 1, 3, kind);
}

int pthread_rwlockattr_getkind_np(const int *a, int *kind)
{
    return get(a, 1, 3, kind);
}

int pthread_barrierattr_init(int *a)
{
    *a = 0;
    return 0;
}

int pthread_barrierattr_destroy(int *a)
{
    return 0;
}

int pthread_barrierattr_setpshared(int *a, int shared)
{
    return set(a, 0, 1, shared);
}

int pthread_barrierattr_getpshared(const int *a, int *shared)
{
    return get(a, 0, 1, shared);
}
