/* Time is arbitrary, but not negative. It need not pass, and may go back: clocks are set. */

struct seconds {
    long seconds, part;
};

long time(long *result)
{
    long now = __heddle_nondet("time") & 0x7fffffff;
    if (result)
        *result = now;
    return now;
}

long clock(void)
{
    return __heddle_nondet("clock") & 0x7fffffff;
}

double difftime(long end, long start)
{
    return (double)end - (double)start;
}

static int now(struct seconds *result, int parts)
{
    int seconds = __heddle_nondet("time"), part = __heddle_nondet("time");
    __heddle_assume(seconds >= 0 && part >= 0 && part < parts);
    result->seconds = seconds;
    result->part = part;
    return 0;
}

int gettimeofday(struct seconds *result, void *zone)
{
    return now(result, 1000000);
}

int clock_gettime(int clock, struct seconds *result)
{
    return now(result, 1000000000);
}

int timespec_get(struct seconds *result, int base)
{
    now(result, 1000000000);
    return base;
}

int clock_getres(int clock, struct seconds *result)
{
    if (result) {
        result->seconds = 0;
        result->part = 1;
    }
    return 0;
}
