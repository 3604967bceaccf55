/* Attributes of threads. Of all of them, only the detach state means anything here; the others can be set and read back.
   A pthread_attr_t has room for 56 bytes, or 36 on ILP32. */

struct attributes {
    int detached; /* First: pthread_create reads it. */
    int scope;
    int inherit;
    int policy;
    int priority;
    unsigned long guard_size;
    unsigned long stack_size;
    void *stack;
};

int pthread_attr_init(struct attributes *a)
{
    a->detached = 0; /* PTHREAD_CREATE_JOINABLE */
    a->scope = 0;
    a->inherit = 0;
    a->policy = 0;
    a->priority = 0;
    a->guard_size = 4096;
    a->stack_size = 8ul << 20;
    a->stack = 0;
    return 0;
}

int pthread_attr_destroy(struct attributes *a)
{
    return 0;
}

int pthread_attr_setdetachstate(struct attributes *a, int state)
{
    if (state != 0 && state != 1)
        return 22; /* EINVAL */
    a->detached = state;
    return 0;
}

int pthread_attr_getdetachstate(const struct attributes *a, int *state)
{
    *state = a->detached;
    return 0;
}

int pthread_attr_setscope(struct attributes *a, int scope)
{
    if (scope == 1)
        return 95; /* ENOTSUP: PTHREAD_SCOPE_PROCESS */
    if (scope != 0)
        return 22; /* EINVAL */
    a->scope = scope;
    return 0;
}

int pthread_attr_getscope(const struct attributes *a, int *scope)
{
    *scope = a->scope;
    return 0;
}

int pthread_attr_setinheritsched(struct attributes *a, int inherit)
{
    if (inherit != 0 && inherit != 1)
        return 22; /* EINVAL */
    a->inherit = inherit;
    return 0;
}

int pthread_attr_getinheritsched(const struct attributes *a, int *inherit)
{
    *inherit = a->inherit;
    return 0;
}

int pthread_attr_setschedpolicy(struct attributes *a, int policy)
{
    if (policy < 0 || policy > 2)
        return 22; /* EINVAL */
    a->policy = policy;
    return 0;
}

int pthread_attr_getschedpolicy(const struct attributes *a, int *policy)
{
    *policy = a->policy;
    return 0;
}

/* The priority is the only member of a struct sched_param that POSIX knows, and the first. */

int pthread_attr_setschedparam(struct attributes *a, const int *param)
{
    a->priority = *param;
    return 0;
}

int pthread_attr_getschedparam(const struct attributes *a, int *param)
{
    *param = a->priority;
    return 0;
}

int pthread_attr_setguardsize(struct attributes *a, unsigned long size)
{
    a->guard_size = size;
    return 0;
}

int pthread_attr_getguardsize(const struct attributes *a, unsigned long *size)
{
    *size = a->guard_size;
    return 0;
}

int pthread_attr_setstacksize(struct attributes *a, unsigned long size)
{
    if (size < 16384)
        return 22; /* EINVAL: less than PTHREAD_STACK_MIN */
    a->stack_size = size;
    return 0;
}

int pthread_attr_getstacksize(const struct attributes *a, unsigned long *size)
{
    *size = a->stack_size;
    return 0;
}

int pthread_attr_setstack(struct attributes *a, void *stack, unsigned long size)
{
    if (size < 16384)
        return 22; /* EINVAL */
    a->stack = stack;
    a->stack_size = size;
    return 0;
}

int pthread_attr_getstack(const struct attributes *a, void **stack, unsigned long *size)
{
    *stack = a->stack;
    *size = a->stack_size;
    return 0;
}

int pthread_attr_setstackaddr(struct attributes *a, void *stack)
{
    a->stack = stack;
    return 0;
}

int pthread_attr_getstackaddr(const struct attributes *a, void **stack)
{
    *stack = a->stack;
    return 0;
}
