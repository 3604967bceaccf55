/* Threads of C11, in terms of POSIX threads; the types are glibc's (a thrd_t is a pthread_t). */

int pthread_create(unsigned long *thread, const int *attr, void *(*start)(void *), void *arg);
void pthread_exit(void *result);
unsigned long pthread_self(void);
int pthread_join(unsigned long thread, void **result);
int pthread_detach(unsigned long thread);

enum { SUCCESS = 0, ERROR = 2 };

struct start {
    int (*function)(void *);
    void *arg;
};

static void *run(void *start)
{
    struct start *s = start;
    return (void *)(long)s->function(s->arg);
}

int thrd_create(unsigned long *thread, int (*function)(void *), void *arg)
{
    struct start *s = __heddle_new(sizeof(struct start));
    s->function = function;
    s->arg = arg;
    return pthread_create(thread, 0, run, s) == 0 ? SUCCESS : ERROR;
}

void thrd_exit(int result)
{
    pthread_exit((void *)(long)result);
}

unsigned long thrd_current(void)
{
    return pthread_self();
}

int thrd_equal(unsigned long a, unsigned long b)
{
    return a == b;
}

int thrd_join(unsigned long thread, int *result)
{
    void *value;
    if (pthread_join(thread, &value) != 0)
        return ERROR;
    if (result)
        __heddle_put(result, (int)(long)value);
    return SUCCESS;
}

int thrd_detach(unsigned long thread)
{
    return pthread_detach(thread) == 0 ? SUCCESS : ERROR;
}

void thrd_yield(void)
{
}

int thrd_sleep(const void *time, void *left)
{
    return 0;
}
