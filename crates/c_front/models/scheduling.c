/* Hints to the scheduler, and sleeping. All schedules are considered anyway, so none of these does anything. */

static int concurrency;

int sched_yield(void)
{
    return 0;
}

int pthread_yield(void)
{
    return 0;
}

int pthread_setconcurrency(int level)
{
    if (level < 0)
        return 22; /* EINVAL */
    concurrency = level;
    return 0;
}

int pthread_getconcurrency(void)
{
    return concurrency;
}

int pthread_setschedparam(unsigned long thread, int policy, const void *param)
{
    return 0;
}

int pthread_setschedprio(unsigned long thread, int priority)
{
    return 0;
}

int pthread_setname_np(unsigned long thread, const char *name)
{
    return 0;
}

int pthread_setaffinity_np(unsigned long thread, unsigned long size, const void *set)
{
    return 0;
}

int sched_get_priority_max(int policy)
{
    return policy == 0 ? 0 : 99;
}

int sched_get_priority_min(int policy)
{
    return policy == 0 ? 0 : 1;
}

unsigned sleep(unsigned seconds)
{
    return 0;
}

int usleep(unsigned microseconds)
{
    return 0;
}

int nanosleep(const void *time, void *left)
{
    return 0;
}

int clock_nanosleep(int clock, int flags, const void *time, void *left)
{
    return 0;
}

/* The policy SCHED_OTHER, with the only priority that it has. */
int pthread_getschedparam(unsigned long thread, int *policy, int *param)
{
    __heddle_put(policy, 0);
    __heddle_put(param, 0);
    return 0;
}

int pthread_getname_np(unsigned long thread, char *name, unsigned long size)
{
    if (size < 16)
        return 34; /* ERANGE */
    __heddle_put(name, 0);
    return 0;
}

int sched_setaffinity(int process, unsigned long size, const void *set)
{
    return 0;
}

int sched_setscheduler(int process, int policy, const void *param)
{
    return 0;
}
