/* How a thread takes being cancelled. Nobody is ever cancelled (pthread_cancel is not supported), so this is only stored. */

static _Thread_local int state, type;

static int swap(int *at, int value, int *old)
{
    if (value != 0 && value != 1)
        return 22; /* EINVAL */
    int before = *at;
    *at = value;
    if (old)
        __heddle_put(old, before);
    return 0;
}

int pthread_setcancelstate(int value, int *old)
{
    return swap(&state, value, old);
}

int pthread_setcanceltype(int value, int *old)
{
    return swap(&type, value, old);
}

void pthread_testcancel(void)
{
}
