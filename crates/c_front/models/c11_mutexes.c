/* Mutexes of C11, in terms of POSIX threads: an mtx_t is a pthread_mutex_t. What C11 leaves undefined, such as
   unlocking what one does not hold, is a violation for all kinds of mutexes. */

int pthread_mutex_init(int *m, const int *attr);
int pthread_mutex_destroy(int *m);
int pthread_mutex_lock(int *m);
int pthread_mutex_trylock(int *m);
int pthread_mutex_timedlock(int *m, const void *abstime);
int pthread_mutex_unlock(int *m);

enum { SUCCESS = 0, BUSY = 1, ERROR = 2, TIMEDOUT = 4 };

/* mtx_plain is 0, and mtx_recursive, which is also the kind of a recursive POSIX mutex, is 1; mtx_timed, 2, adds nothing. */
int mtx_init(int *m, int type)
{
    int kind = type & 1;
    if (type < 0 || type > 3)
        return ERROR;
    return pthread_mutex_init(m, &kind) == 0 ? SUCCESS : ERROR;
}

void mtx_destroy(int *m)
{
    pthread_mutex_destroy(m);
}

int mtx_lock(int *m)
{
    return pthread_mutex_lock(m) == 0 ? SUCCESS : ERROR;
}

int mtx_trylock(int *m)
{
    return pthread_mutex_trylock(m) == 0 ? SUCCESS : BUSY;
}

int mtx_timedlock(int *m, const void *time)
{
    return pthread_mutex_timedlock(m, time) == 0 ? SUCCESS : TIMEDOUT;
}

int mtx_unlock(int *m)
{
    int error = pthread_mutex_unlock(m);
    __heddle_check(error == 0, "lock", "a mutex is unlocked that the thread does not hold");
    return error == 0 ? SUCCESS : ERROR;
}
