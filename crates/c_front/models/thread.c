/* Threads of POSIX: creation, end, joining.
 *
 * A pthread_t is the address of a control block, which lives for ever: POSIX forbids the use of an identifier after its
 * thread was joined, and many programs that do so only compare it.
 *
 * pthread_create always succeeds. It stores the identifier before the thread starts, as libcs do.
 */

struct thread {
    void *(*start)(void *);
    void *arg;
    void *result;
    int done;
    int detached;
    int joined;
};

/* The first thread's block; it was not made by pthread_create. */
static struct thread first;

/* The running thread's block; null in the first thread. */
static _Thread_local struct thread *current;

void __heddle_run_cleanup_handlers(void);
void __heddle_run_destructors(void);

static struct thread *own_block(void)
{
    return current ? current : &first;
}

/* What every thread does last: destructors of keys, then the result is there to be joined. */
static void finish(void *result)
{
    struct thread *t = own_block();
    __heddle_run_destructors();
    __heddle_atomic_begin();
    t->result = result;
    t->done = 1;
    __heddle_sync("unhold", "join", t);
    __heddle_atomic_end();
}

void __heddle_thread_main(void *block)
{
    struct thread *t = block;
    current = t;
    /* A thread holds its own end: who joins it waits for it as for the holder of a lock. */
    __heddle_sync("hold", "join", t);
    finish(t->start(t->arg));
}

int pthread_create(unsigned long *thread, const int *attr, void *(*start)(void *), void *arg)
{
    /* The detach state stands first in a pthread_attr_t: see attributes.c. */
    int detached = attr ? *attr : 0;
    struct thread *t = __heddle_new(sizeof(struct thread));
    __heddle_put(thread, (unsigned long)t);
    __heddle_atomic_begin();
    t->start = start;
    t->arg = arg;
    t->detached = detached;
    if (attr)
        __heddle_sync("detach", "join", t);
    __heddle_spawn(__heddle_thread_main, t);
    __heddle_atomic_end();
    return 0;
}

void pthread_exit(void *result)
{
    __heddle_run_cleanup_handlers();
    finish(result);
    __heddle_thread_exit();
}

unsigned long pthread_self(void)
{
    return (unsigned long)own_block();
}

int pthread_equal(unsigned long a, unsigned long b)
{
    return a == b;
}

int pthread_join(unsigned long thread, void **result)
{
    struct thread *t = (struct thread *)thread;
    if (!t) {
        __heddle_sync("refuse", "join", t);
        return 3; /* ESRCH */
    }
    if (t == own_block()) {
        __heddle_sync("refuse", "join", t);
        return 35; /* EDEADLK */
    }
    __heddle_atomic_begin();
    if (t->detached || t->joined) {
        __heddle_sync("refuse", "join", t);
        __heddle_atomic_end();
        return 22; /* EINVAL */
    }
    __heddle_await(t->done, "join", t);
    t->joined = 1;
    void *value = result ? t->result : 0;
    __heddle_sync("acquire", "join", t);
    __heddle_atomic_end();
    if (result)
        __heddle_put(result, value);
    return 0;
}

int pthread_tryjoin_np(unsigned long thread, void **result)
{
    struct thread *t = (struct thread *)thread;
    int error = 0;
    if (!t)
        return 3; /* ESRCH */
    if (t == own_block())
        return 35; /* EDEADLK */
    __heddle_atomic_begin();
    if (t->detached || t->joined) {
        error = 22; /* EINVAL */
    } else if (!t->done) {
        error = 16; /* EBUSY */
    } else {
        t->joined = 1;
        __heddle_sync("acquire", "join", t);
    }
    __heddle_atomic_end();
    if (error == 0 && result)
        __heddle_put(result, t->result);
    return error;
}

int pthread_detach(unsigned long thread)
{
    struct thread *t = (struct thread *)thread;
    if (!t)
        return 3; /* ESRCH */
    __heddle_atomic_begin();
    int error = t->detached || t->joined ? 22 /* EINVAL */ : 0;
    if (!error) {
        t->detached = 1;
        __heddle_sync("detach", "join", t);
    }
    __heddle_atomic_end();
    return error;
}
