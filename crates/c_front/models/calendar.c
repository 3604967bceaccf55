/* Calendar time. Which moment a number stands for depends on clock and zone, so dates are arbitrary, and so is their text. */

struct date {
    int second, minute, hour, day, month, year, weekday, day_of_year, summer;
    long offset;
    const char *zone;
};

static struct date shared_date;
static char shared_text[26];

static int between(int low, int high)
{
    int value = __heddle_nondet("date");
    __heddle_assume(value >= low && value <= high);
    return value;
}

struct date *localtime_r(const long *time, struct date *result)
{
    result->second = between(0, 60);
    result->minute = between(0, 59);
    result->hour = between(0, 23);
    result->day = between(1, 31);
    result->month = between(0, 11);
    result->year = between(-1900, 8099);
    result->weekday = between(0, 6);
    result->day_of_year = between(0, 365);
    result->summer = between(-1, 1);
    result->offset = between(-86400, 86400);
    result->zone = "UTC";
    return result;
}

struct date *gmtime_r(const long *time, struct date *result)
{
    localtime_r(time, result);
    result->summer = 0;
    result->offset = 0;
    return result;
}

struct date *localtime(const long *time)
{
    return localtime_r(time, &shared_date);
}

struct date *gmtime(const long *time)
{
    return gmtime_r(time, &shared_date);
}

long mktime(struct date *date)
{
    return between(-1, 0x7fffffff);
}

long timegm(struct date *date)
{
    return between(-1, 0x7fffffff);
}

char *ctime_r(const long *time, char *to)
{
    for (int i = 0; i < 24; i++)
        to[i] = (char)between(' ', 'z');
    to[24] = '\n';
    to[25] = 0;
    return to;
}

char *asctime_r(const struct date *date, char *to)
{
    return ctime_r(0, to);
}

char *ctime(const long *time)
{
    return ctime_r(time, shared_text);
}

char *asctime(const struct date *date)
{
    return ctime_r(0, shared_text);
}

/* 0 where the text does not fit; what is in the memory is not known then. */
unsigned long strftime(char *to, unsigned long size, const char *format, const struct date *date)
{
    unsigned long n = 0;
    if (size == 0)
        return 0;
    while (n + 1 < size && __heddle_choose("longer"))
        to[n++] = (char)between(' ', 'z');
    to[n] = 0;
    return n;
}
