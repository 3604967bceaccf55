/* Condition variables of C11, in terms of POSIX threads: a cnd_t is a pthread_cond_t. */

int pthread_cond_init(int *c, const void *attr);
int pthread_cond_destroy(int *c);
int pthread_cond_signal(int *c);
int pthread_cond_broadcast(int *c);
int pthread_cond_wait(int *c, int *m);
int pthread_cond_timedwait(int *c, int *m, const void *abstime);

enum { SUCCESS = 0, ERROR = 2, TIMEDOUT = 4 };

int cnd_init(int *c)
{
    return pthread_cond_init(c, 0) == 0 ? SUCCESS : ERROR;
}

void cnd_destroy(int *c)
{
    pthread_cond_destroy(c);
}

int cnd_signal(int *c)
{
    return pthread_cond_signal(c) == 0 ? SUCCESS : ERROR;
}

int cnd_broadcast(int *c)
{
    return pthread_cond_broadcast(c) == 0 ? SUCCESS : ERROR;
}

int cnd_wait(int *c, int *m)
{
    return pthread_cond_wait(c, m) == 0 ? SUCCESS : ERROR;
}

int cnd_timedwait(int *c, int *m, const void *time)
{
    return pthread_cond_timedwait(c, m, time) == 0 ? SUCCESS : TIMEDOUT;
}
